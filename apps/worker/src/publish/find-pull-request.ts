import { z } from 'zod'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import type { RepositoryName } from './get-repository-name.ts'

/** What is read of a pull request; the rest of GitHub's answer is dropped. */
const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.url(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullable(),
  draft: z.boolean().optional(),
  body: z.string().nullable(),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullable(),
  }),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.object({ name: z.string().optional() })),
  requested_reviewers: z.array(z.unknown()).nullish(),
  requested_teams: z.array(z.unknown()).nullish(),
})

export interface FoundPullRequest {
  readonly number: number
  /** For people: html_url. */
  readonly url: string
  readonly state: 'open' | 'merged' | 'closed'
  readonly draft: boolean
  readonly headSha: string
  readonly body: string
  /** Login of who opened it; null when the account is gone. */
  readonly author: string | null
  readonly hasLabels: boolean
  /** Somebody is asked to review it. */
  readonly hasReviewers: boolean
}

/** Where a pull request comes from. */
export interface PullRequestHead extends RepositoryName {
  readonly branch: string
}

/**
 * Maps an answer of the API. Null when the pull request is not from this branch of this repository (a fork may use the same
 * branch name). Throws {@link GitHubError} `server_error` when the answer is no pull request at all, such as a proxy's page.
 */
export function toPullRequest(head: PullRequestHead, answer: unknown): FoundPullRequest | null {
  const parsed = Pull.safeParse(answer)
  if (!parsed.success) throw toUnreadable()
  const { head: from, ...pull } = parsed.data
  const isHere = from.repo === null || from.repo.full_name.toLowerCase() === `${head.owner}/${head.repo}`.toLowerCase()
  if (from.ref !== head.branch || !isHere) return null
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged_at !== null ? 'merged' : pull.state,
    draft: pull.draft ?? false,
    headSha: from.sha,
    body: pull.body ?? '',
    author: pull.user?.login ?? null,
    hasLabels: pull.labels.length > 0,
    hasReviewers: (pull.requested_reviewers?.length ?? 0) + (pull.requested_teams?.length ?? 0) > 0,
  }
}

/**
 * The pull request that belongs to a job's branch, in any state; null when there is none.
 * `jobId` tells our own from an older, finished one of the same branch name: ours has the job's commit, or names the job in its
 * branch or text. An open one always counts, as GitHub allows no second.
 */
export async function findPullRequest(
  deps: { github: GitHub },
  input: { head: PullRequestHead; expectedHead: string; jobId: string; signal: AbortSignal },
): Promise<FoundPullRequest | null> {
  const { owner, repo, branch } = input.head
  const answer: unknown = await deps.github.call(
    'look up the pull request',
    (octokit, request) =>
      octokit.rest.pulls.list({ owner, repo, head: `${owner}:${branch}`, state: 'all', per_page: 100, request }),
    { signal: input.signal },
  )
  if (!Array.isArray(answer)) throw toUnreadable()
  const candidates = answer.map((one: unknown) => toPullRequest(input.head, one)).filter((one) => one !== null)

  const certain =
    candidates.find((one) => one.headSha === input.expectedHead) ??
    candidates.find((one) => one.state === 'open') ??
    candidates.find((one) => branch.includes(input.jobId) || one.body.includes(input.jobId))
  if (certain) return certain
  for (const one of candidates) if (await hasCommit(deps, { ...input, number: one.number })) return one
  return null
}

/** Whether a commit is part of a pull request, also when people pushed more on top (the first 250 commits, all GitHub lists). */
export async function hasCommit(
  deps: { github: GitHub },
  input: { head: PullRequestHead; number: number; expectedHead: string; signal: AbortSignal },
): Promise<boolean> {
  const { owner, repo } = input.head
  for (const page of [1, 2, 3]) {
    const commits: unknown = await deps.github.call(
      'read the commits of the pull request',
      (octokit, request) =>
        octokit.rest.pulls.listCommits({ owner, repo, pull_number: input.number, per_page: 100, page, request }),
      { signal: input.signal },
    )
    const listed = z.array(z.object({ sha: z.string() })).safeParse(commits)
    if (!listed.success) throw toUnreadable()
    if (listed.data.some((one) => one.sha === input.expectedHead)) return true
    if (listed.data.length < 100) return false
  }
  return false
}

function toUnreadable(): GitHubError {
  return new GitHubError(
    'server_error',
    'The Git host answered something that is not a pull request. Check that GITHUB_API_URL is the address of its REST API.',
  )
}
