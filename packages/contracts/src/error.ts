import { z } from 'zod'

/** Every error body: exactly one field. The machine-readable code travels in the `x-error-code` header. */
export const ErrorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof ErrorBody>
