import type { Log } from '@corrigenda/core/runtime'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { toReason } from './to-reason.ts'

export interface ReviewRequest {
  readonly jobId: string
  readonly number: number
  /** Logins, and `organization/team` for teams. */
  readonly reviewers: readonly string[]
  /** Login of the author, who cannot review the pull request; null if unknown. */
  readonly author: string | null
  readonly signal: AbortSignal
}

const LIMIT_MS = 20_000
/** Maximum number of reviewers that the host accepts per request. */
const MAX = 15

/**
 * Requests reviews of a pull request from users and teams. Best effort: logs failures and never throws. The host
 * rejects the whole list if one of the reviewers is not eligible (the author, or a user without
 * access). In that case, reviews are requested one at a time.
 */
export async function requestReviews(
  { gitHost, log }: { gitHost: GitHost; log: Log },
  input: ReviewRequest,
): Promise<void> {
  const { jobId, number } = input
  const reviewers = input.reviewers.filter((one) => one.toLowerCase() !== input.author?.toLowerCase()).slice(0, MAX)
  if (reviewers.length === 0) return
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(LIMIT_MS)])
  const report = (error: unknown) =>
    log.warn({ jobId, number, reason: toReason(error) }, 'reviewers not requested for a pull request')
  try {
    await gitHost.requestReviewers({ number, reviewers, signal })
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code !== 'validation' || reviewers.length === 1) return report(error)
    for (const one of reviewers) {
      await gitHost.requestReviewers({ number, reviewers: [one], signal }).catch(report)
    }
  }
}
