const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface PollFacts {
  readonly state: 'open' | 'merged' | 'closed'
  readonly checks: 'pending' | 'passed' | 'failed' | null
  /** Since the pull request was opened or got a new commit, in ms. */
  readonly ageMs: number
  /** Since it was first seen merged or closed, in ms; null while open. */
  readonly closedMs: number | null
  /** The branch is to be deleted once the pull request is closed. */
  readonly isBranchWaiting: boolean
}

/**
 * Wait until the next poll, in ms; null: never. Webhooks of the Git host make it shorter. Without
 * them a new pull request is polled often and an old one rarely, so that a thousand open ones stay
 * within a host's hourly limit (5,000 requests, three per poll). A merge is final; a closed pull
 * request may be reopened, mostly soon.
 */
export function toNextPoll({ state, checks, ageMs, closedMs, isBranchWaiting }: PollFacts): number | null {
  if (state !== 'open') {
    const age = closedMs ?? 0
    if (checks === 'pending' && age < HOUR) return 2 * MINUTE
    // The next poll sees whether it is deleted: a worker may stop in between, and the host may refuse.
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
