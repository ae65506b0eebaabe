import type { z } from 'zod'
import { GitHostError } from '../git-host-error.ts'

/**
 * The part of an answer that is read; the rest is dropped.
 * @param what completes "something that is not …"
 * @throws GitHostError `server_error` for an answer of another shape, such as a proxy's page
 */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: unknown, what: string): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new GitHostError(
    'server_error',
    `The Git host answered something that is not ${what}. Check that GITHUB_API_URL is the address of its REST API.`,
  )
}
