const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface LookFacts {
  readonly state: 'open' | 'merged' | 'closed'
  readonly checks: 'pending' | 'passed' | 'failed' | null
  /** Since the pull request was opened or got a new commit, in ms. */
  readonly ageMs: number
  /** Since it was first seen merged or closed, in ms; null while open. */
  readonly closedMs: number | null
  /** The branch of the pull request is to go once that is closed. */
  readonly isBranchWaiting: boolean
}

/**
 * When to look again, in ms; null: never. Webhooks of the Git host make it sooner; without them a young pull request is looked at often and an old
 * one rarely, so that a thousand open ones stay within a host's hourly limit (5,000 requests, three per look). A merge is final; what was closed
 * may be opened again, mostly soon.
 */
export function toNextLook({ state, checks, ageMs, closedMs, isBranchWaiting }: LookFacts): number | null {
  if (state !== 'open') {
    const age = closedMs ?? 0
    if (checks === 'pending' && age < HOUR) return 2 * MINUTE
    // Whether it went is seen by the next look: a worker may end in between, and the host may refuse.
    if (isBranchWaiting && age < HOUR) return 5 * MINUTE
    if (state === 'merged' || age >= 7 * DAY) return null
    return age < DAY ? HOUR : 6 * HOUR
  }
  if (checks === 'pending' && ageMs < 2 * HOUR) return MINUTE / 2
  if (ageMs < HOUR) return 2 * MINUTE
  if (ageMs < DAY) return 15 * MINUTE
  if (ageMs < 7 * DAY) return HOUR
  return ageMs < 90 * DAY ? 6 * HOUR : null
}
