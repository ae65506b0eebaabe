import { z } from 'zod'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import { toPullRequest } from '../publish/find-pull-request.ts'
import type { RepositoryName } from '../publish/get-repository-name.ts'

export interface PullRequestFacts {
  readonly state: 'open' | 'merged' | 'closed'
  readonly draft: boolean
  readonly headSha: string
  readonly checks: 'pending' | 'passed' | 'failed' | null
}

const CheckRuns = z.object({
  total_count: z.number(),
  check_runs: z.array(z.object({ status: z.string(), conclusion: z.string().nullable() })),
})
const CombinedStatus = z.object({ state: z.string(), total_count: z.number() })

/** Conclusions that do not stand in the way of a merge. */
const GOOD = new Set(['success', 'neutral', 'skipped'])
/** Of check runs; more than these are not looked at. */
const PAGES = [1, 2, 3]

/**
 * A pull request as the Git host has it now, with what check runs and commit statuses say together. Null when it is not the one from this branch.
 * @throws GitHubError
 */
export async function readPullRequestState(
  deps: { github: GitHub },
  input: { name: RepositoryName; number: number; branch: string; signal: AbortSignal },
): Promise<PullRequestFacts | null> {
  const { name, number, branch, signal } = input
  const { owner, repo } = name
  const answer: unknown = await deps.github.call(
    'read the pull request',
    (octokit, request) => octokit.rest.pulls.get({ owner, repo, pull_number: number, request }),
    { signal },
  )
  const pull = toPullRequest({ ...name, branch }, answer)
  if (pull === null) return null
  const { state, draft, headSha } = pull
  const [runs, statuses] = [
    await orNothing(() => readCheckRuns(deps, { name, sha: headSha, signal })),
    await orNothing(() => readStatuses(deps, { name, sha: headSha, signal })),
  ]
  return { state, draft, headSha, checks: combine([...runs, ...statuses]) }
}

type Verdict = 'pending' | 'passed' | 'failed'

function combine(verdicts: readonly Verdict[]): Verdict | null {
  if (verdicts.includes('failed')) return 'failed'
  if (verdicts.includes('pending')) return 'pending'
  return verdicts.length > 0 ? 'passed' : null
}

async function readCheckRuns(
  deps: { github: GitHub },
  { name, sha, signal }: { name: RepositoryName; sha: string; signal: AbortSignal },
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const page of PAGES) {
    const answer: unknown = await deps.github.call(
      'read the checks',
      (octokit, request) => octokit.rest.checks.listForRef({ ...name, ref: sha, per_page: 100, page, request }),
      { signal },
    )
    const { check_runs: runs } = parse(CheckRuns, answer)
    verdicts.push(...runs.map(toVerdict))
    if (runs.length < 100) break
  }
  return verdicts
}

function toVerdict({ status, conclusion }: { status: string; conclusion: string | null }): Verdict {
  if (status !== 'completed') return 'pending'
  return GOOD.has(conclusion ?? '') ? 'passed' : 'failed'
}

async function readStatuses(
  deps: { github: GitHub },
  { name, sha, signal }: { name: RepositoryName; sha: string; signal: AbortSignal },
): Promise<Verdict[]> {
  const answer: unknown = await deps.github.call(
    'read the commit statuses',
    (octokit, request) => octokit.rest.repos.getCombinedStatusForRef({ ...name, ref: sha, request }),
    { signal },
  )
  const { state, total_count: count } = parse(CombinedStatus, answer)
  if (count === 0) return []
  if (state === 'pending') return ['pending']
  return [state === 'success' ? 'passed' : 'failed']
}

function parse<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new GitHubError('server_error', 'The Git host answered something that is no list of checks.')
}

/** Tokens need not be allowed to read checks: then the pull request shows none. */
async function orNothing(read: () => Promise<Verdict[]>): Promise<Verdict[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof GitHubError && (error.code === 'forbidden' || error.code === 'not_found')) return []
    throw error
  }
}
