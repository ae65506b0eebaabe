import type { PullRequestProblem } from '../git-host-error.ts'

interface Entry {
  readonly field: string | null
  readonly message: string | null
}

/**
 * Maps GitHub's 422 responses. The reason is in one of the `errors`, which are objects or texts, or
 * only in the top-level message. Returns null for errors that do not concern opening a pull request.
 * @param message the response's top-level message
 */
export function toPullRequestProblem(data: unknown, message: string): PullRequestProblem | null {
  const entries = toEntries(data)
  const says = (pattern: RegExp) => pattern.test(message) || entries.some((one) => pattern.test(one.message ?? ''))
  const names = (...fields: string[]) => entries.some(({ field }) => field !== null && fields.includes(field))
  if (says(/already exists/i)) return 'already_exists'
  if (says(/draft pull requests are not supported/i)) return 'no_drafts'
  // For an unknown branch, some versions also report that there are no commits.
  if (names('head', 'head_sha') || says(/head (?:sha can't be blank|ref must be a branch)/i)) return 'unknown_head'
  if (names('base', 'base_sha') || says(/base (?:sha can't be blank|ref must be a branch)/i)) return 'unknown_base'
  return says(/no commits between/i) ? 'no_commits' : null
}

function toEntries(data: unknown): Entry[] {
  const errors = typeof data === 'object' && data !== null && 'errors' in data ? data.errors : []
  return [errors].flat().map((one: unknown) => {
    if (typeof one === 'string') return { field: null, message: one }
    const entry = typeof one === 'object' && one !== null ? one : {}
    const field = 'field' in entry && typeof entry.field === 'string' ? entry.field : null
    const message = 'message' in entry && typeof entry.message === 'string' ? entry.message : null
    return { field, message }
  })
}
