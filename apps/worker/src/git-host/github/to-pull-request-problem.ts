import type { PullRequestProblem } from '../git-host-error.ts'

interface Entry {
  readonly field: string | null
  readonly message: string | null
}

/**
 * Maps the `errors` of GitHub's 422 responses. Returns null for errors that do not concern opening
 * a pull request.
 * @param message the response's top-level message, where GitHub reports that drafts are not
 * supported
 */
export function toPullRequestProblem(data: unknown, message: string): PullRequestProblem | null {
  const entries = toEntries(data)
  const hasMessage = (pattern: RegExp) => entries.some((one) => pattern.test(one.message ?? ''))
  const names = (field: string) => entries.some((one) => one.field === field)
  if (hasMessage(/already exists/i)) return 'already_exists'
  if (/draft pull requests are not supported/i.test(message)) return 'no_drafts'
  if (hasMessage(/no commits between/i)) return 'no_commits'
  if (names('head')) return 'unknown_head'
  return names('base') ? 'unknown_base' : null
}

function toEntries(data: unknown): Entry[] {
  const errors = typeof data === 'object' && data !== null && 'errors' in data ? data.errors : []
  if (!Array.isArray(errors)) return []
  return errors.map((one: unknown) => {
    if (typeof one === 'string') return { field: null, message: one }
    const entry = typeof one === 'object' && one !== null ? one : {}
    const field = 'field' in entry && typeof entry.field === 'string' ? entry.field : null
    const message = 'message' in entry && typeof entry.message === 'string' ? entry.message : null
    return { field, message }
  })
}
