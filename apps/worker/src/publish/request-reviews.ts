import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'

export interface ReviewRequest {
  readonly number: number
  /** Logins, and `organization/team` for teams. */
  readonly reviewers: readonly string[]
  /** Who opened the pull request, and so cannot review it; null when that is not known. */
  readonly author: string | null
  readonly signal: AbortSignal
}

const LIMIT_MS = 20_000
/** The host refuses to ask more. */
const MAX = 15

/**
 * Asks people and teams to review a pull request. Best effort: the host refuses all of a list for one of them who cannot review (its author, or
 * somebody without access), so then they are asked one by one. Never throws.
 */
export async function requestReviews({ gitHost }: { gitHost: GitHost }, input: ReviewRequest): Promise<void> {
  const { number } = input
  const reviewers = input.reviewers.filter((one) => one.toLowerCase() !== input.author?.toLowerCase()).slice(0, MAX)
  if (reviewers.length === 0) return
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    await gitHost.requestReviewers({ number, reviewers, signal })
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code !== 'validation' || reviewers.length === 1) return
    for (const one of reviewers) await gitHost.requestReviewers({ number, reviewers: [one], signal }).catch(() => null)
  }
}
