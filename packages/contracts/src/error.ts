import { z } from 'zod'

/**
 * Body of every error response, with exactly one field. The `x-error-code` header contains the
 * machine-readable code.
 */
export const ErrorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof ErrorBody>
