import type { z } from 'zod'
import { GitHostError } from '../git-host-error.ts'

/**
 * Returns the parts of a response that the schema declares and drops the rest.
 * @param what completes "response that is not …"
 * @throws GitHostError `server_error` for a response of a different shape, such as a proxy's error
 * page
 */
export function parseAnswer<T>(schema: z.ZodType<T>, response: unknown, what: string): T {
  const parsed = schema.safeParse(response)
  if (parsed.success) return parsed.data
  throw new GitHostError(
    'server_error',
    `The Git host returned a response that is not ${what}. Check that GITHUB_API_URL is the URL of its REST API.`,
  )
}
