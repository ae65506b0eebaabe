const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface PollFacts {
  readonly state: 'open' | 'merged' | 'closed'
  readonly checks: 'pending' | 'passed' | 'failed' | null
  /** Time since the pull request was opened or received a new commit, in ms. */
  readonly ageMs: number
  /** Time in ms since a poll found the pull request merged or closed, or null while it is open. */
  readonly closedMs: number | null
  /** True if the branch must be deleted after the pull request is closed. */
  readonly isBranchWaiting: boolean
}

/**
 * Returns the delay until the next poll in ms, or null to stop polling. The Git host's webhooks
 * shorten the delay. Without them, new pull requests are polled often and old ones rarely, so that
 * a thousand open ones stay within a host's hourly limit (5,000 requests, three per poll). A merge
 * is final. A closed pull request may be reopened, usually soon after it is closed.
 */
export function toNextPoll({ state, checks, ageMs, closedMs, isBranchWaiting }: PollFacts): number | null {
  if (state !== 'open') {
    const age = closedMs ?? 0
    if (checks === 'pending' && age < HOUR) return 2 * MINUTE
    // Polls until the branch is deleted, because a worker may stop before deleting the branch, and
    // the host may reject the deletion.
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
