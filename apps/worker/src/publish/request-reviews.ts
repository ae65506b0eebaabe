import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import type { PullRequestHead } from './find-pull-request.ts'

export interface ReviewRequest {
  readonly head: PullRequestHead
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
export async function requestReviews(deps: { github: GitHub }, input: ReviewRequest): Promise<void> {
  const reviewers = input.reviewers.filter((one) => one.toLowerCase() !== input.author?.toLowerCase()).slice(0, MAX)
  if (reviewers.length === 0) return
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    await ask(deps, { ...input, reviewers, signal })
  } catch (error) {
    if (!(error instanceof GitHubError) || error.code !== 'validation' || reviewers.length === 1) return
    for (const one of reviewers) await ask(deps, { ...input, signal, reviewers: [one] }).catch(() => null)
  }
}

async function ask({ github }: { github: GitHub }, { head, number, reviewers, signal }: ReviewRequest): Promise<void> {
  const people = reviewers.filter((one) => !one.includes('/'))
  const teams = reviewers.flatMap((one) => one.split('/')[1] ?? [])
  const { owner, repo } = head
  await github.call(
    'ask for reviews',
    (octokit, request) =>
      octokit.rest.pulls.requestReviewers({
        ...{ owner, repo, pull_number: number, request },
        ...(people.length > 0 ? { reviewers: people } : {}),
        ...(teams.length > 0 ? { team_reviewers: teams } : {}),
      }),
    { signal, retries: 0 },
  )
}
