import type { PullRequestSettings } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import type { GitHost, PullRequest } from '../git-host/git-host.ts'
import { GitHostError, toReason } from '../git-host/git-host-error.ts'
import { pause } from '../git-host/pause.ts'
import { MAX_REVIEWERS } from './to-pull-request-policy.ts'

interface EnsurePullRequestDeps {
  readonly gitHost: GitHost
  readonly log: Log
  /** Delay before the second attempt in ms, doubled for each subsequent attempt; default 1000. */
  readonly waitMs?: number
}

export interface EnsurePullRequestInput extends PullRequestSettings {
  /** A job's own pull request contains this id in its branch name or body. */
  readonly jobId: string
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly body: string
  /** The commit that was pushed to `branch`: 40 hex digits. */
  readonly expectedHead: string
  readonly signal: AbortSignal
}

interface PullRequestReady {
  readonly kind: 'ready'
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'merged' | 'closed'
  readonly draft: boolean
  readonly headSha: string
  /**
   * False if the pull request already existed or was created by an attempt whose response was lost.
   */
  readonly created: boolean
}

interface PullRequestRefused {
  readonly kind: 'refused'
  /**
   * `no_commits`: the branch has no commits that are missing from the base. `head_mismatch`: the
   * branch no longer contains this job's commit.
   */
  readonly code: 'no_commits' | 'invalid_head' | 'invalid_base' | 'head_mismatch'
  readonly message: string
}

const ATTEMPTS = 4
const LABELS_MS = 10_000
const REVIEWERS_MS = 20_000

/**
 * Finds a job's pull request in any state, or creates it. Any worker can safely repeat this at any
 * time. Returns a closed or merged pull request unchanged and never replaces it. Before a retry,
 * looks for the pull request again if the outcome of the creation is unknown (5xx, reset, timeout)
 * or the host rejects it, because it may exist. Labels and reviewers are best effort. Expected
 * rejections are returned, not thrown.
 * @throws GitHostError for all other errors
 */
export async function ensurePullRequest(
  deps: EnsurePullRequestDeps,
  input: EnsurePullRequestInput,
): Promise<PullRequestReady | PullRequestRefused> {
  const { gitHost } = deps
  const { branch, base, title, body, signal } = input
  let { draft } = input
  for (let attempt = 1; ; attempt += 1) {
    const found = await findPullRequest(gitHost, input)
    if (found) return finishPullRequest(deps, input, found, false)
    const made = await gitHost
      .createPullRequest({ branch, base, title, body, draft, signal })
      .catch((error: unknown) => {
        if (error instanceof GitHostError) return error
        throw error
      })
    if (!(made instanceof GitHostError)) return finishPullRequest(deps, input, made, true)
    const { problem, isOutcomeUnknown } = made
    const mayRetry =
      isOutcomeUnknown ||
      // The lookup found no pull request, so the host's list is out of date.
      problem === 'already_exists' ||
      // The API may not list a branch until shortly after the push.
      problem === 'unknown_head' ||
      (problem === 'no_drafts' && draft)
    if (!mayRetry || attempt >= ATTEMPTS) {
      // Hosts have many forms of the rejection of a pull request that exists.
      const mayExist = isOutcomeUnknown || made.code === 'validation'
      const existing = mayExist ? await findPullRequest(gitHost, input) : null
      if (existing) return finishPullRequest(deps, input, existing, false)
      return toRefusal(made, input)
    }
    if (problem === 'no_drafts') draft = false
    await pauseAfter(deps, signal, attempt)
  }
}

/** @throws the error if it is not an expected rejection */
function toRefusal(error: GitHostError, { branch, base }: EnsurePullRequestInput): PullRequestRefused {
  switch (error.problem) {
    case 'no_commits': {
      const message = `The branch ${branch} has no commits that are missing from ${base}, so there is no change to publish.`
      return { kind: 'refused', code: 'no_commits', message }
    }
    case 'unknown_head': {
      const message = `The branch ${branch} is no longer on the host. Retry the job.`
      return { kind: 'refused', code: 'invalid_head', message }
    }
    case 'unknown_base': {
      const message = `The base branch ${base} does not exist on the host. Correct the base branch in the job or the project settings.`
      return { kind: 'refused', code: 'invalid_base', message }
    }
    default:
      throw error
  }
}

/**
 * Checks the pull request's head, and adds the labels and reviewers. On an existing pull request,
 * labels and reviewers are left unchanged if it has any, because a user may have edited them.
 */
async function finishPullRequest(
  deps: EnsurePullRequestDeps,
  task: EnsurePullRequestInput,
  pull: PullRequest,
  created: boolean,
): Promise<PullRequestReady | PullRequestRefused> {
  const current = pull.state === 'open' ? await findWithHead(deps, task, pull) : pull
  if (current === null) {
    return {
      kind: 'refused',
      code: 'head_mismatch',
      message: `The branch ${task.branch} was changed outside this job and no longer contains its commit. Delete the branch or choose a different one, then retry the job.`,
    }
  }
  if (current.state === 'open') {
    if (created || !current.hasLabels) await addLabels(deps, task, current)
    if (created || !current.hasReviewers) await requestReviews(deps, task, current)
  }
  const { number, url, state, draft, headSha } = current
  return { kind: 'ready', number, url, state, draft, headSha, created }
}

/**
 * Returns the pull request once it contains the job's commit, as its newest or an earlier commit.
 * Returns null if it never does. The head may lag several seconds behind a push.
 */
async function findWithHead(
  deps: EnsurePullRequestDeps,
  { branch, expectedHead: commit, signal }: EnsurePullRequestInput,
  pull: PullRequest,
): Promise<PullRequest | null> {
  const { number } = pull
  let current = pull
  for (let attempt = 1; ; attempt += 1) {
    if (current.state !== 'open' || current.headSha === commit) return current
    if (await deps.gitHost.hasCommit({ number, commit, signal })) return current
    if (attempt >= ATTEMPTS) return null
    await pauseAfter(deps, signal, attempt)
    current = (await deps.gitHost.findPullRequest({ number, branch, signal })) ?? current
  }
}

/** A pull request without labels is better than a failed job. */
async function addLabels(
  { gitHost, log }: EnsurePullRequestDeps,
  task: EnsurePullRequestInput,
  { number }: PullRequest,
): Promise<void> {
  const { jobId, labels } = task
  if (labels.length === 0) return
  const signal = AbortSignal.any([task.signal, AbortSignal.timeout(LABELS_MS)])
  await gitHost.addLabels({ number, labels, signal }).catch((error: unknown) => {
    log.warn({ jobId, number, reason: toReason(error) }, 'labels not added to a pull request')
  })
}

/**
 * Requests reviews from users and teams, but not from the author. The host rejects the whole list if
 * one of the reviewers is not eligible, such as a user without access. In that case, reviews are
 * requested one at a time. Logs failures and never throws.
 */
async function requestReviews(
  { gitHost, log }: EnsurePullRequestDeps,
  task: EnsurePullRequestInput,
  { number, author }: PullRequest,
): Promise<void> {
  const { jobId } = task
  const reviewers = task.reviewers.filter((one) => one.toLowerCase() !== author?.toLowerCase()).slice(0, MAX_REVIEWERS)
  if (reviewers.length === 0) return
  const signal = AbortSignal.any([task.signal, AbortSignal.timeout(REVIEWERS_MS)])
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

function pauseAfter(deps: EnsurePullRequestDeps, signal: AbortSignal, attempt: number): Promise<void> {
  const { host, path } = deps.gitHost.repository
  const context = { what: 'open the pull request', target: `${host}/${path}`, signal }
  return pause((deps.waitMs ?? 1000) * 2 ** (attempt - 1), context)
}

/**
 * Finds a job's pull request, in any state. Returns null if the job has no pull request. Ignores
 * closed pull requests from an older branch with the same name. The job's pull request contains the
 * job's commit, or the job id in its branch name or body. An open pull request always matches,
 * because hosts allow only one per branch.
 * @throws GitHostError
 */
export async function findPullRequest(
  gitHost: GitHost,
  input: { branch: string; expectedHead: string; jobId: string; signal: AbortSignal },
): Promise<PullRequest | null> {
  const { branch, expectedHead, jobId, signal } = input
  const candidates = await gitHost.listPullRequests({ branch, signal })
  const certain =
    candidates.find((one) => one.headSha === expectedHead) ??
    candidates.find((one) => one.state === 'open') ??
    candidates.find((one) => branch.includes(jobId) || one.body.includes(jobId))
  if (certain) return certain
  for (const one of candidates) {
    if (await gitHost.hasCommit({ number: one.number, commit: expectedHead, signal })) return one
  }
  return null
}
