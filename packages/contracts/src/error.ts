import { z } from 'zod'

/**
 * Body of every error, with exactly one field. The machine-readable code is in the `x-error-code`
 * header.
 */
export const ErrorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof ErrorBody>
