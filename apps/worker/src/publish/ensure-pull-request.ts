import type { PullRequestSettings } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import type { GitHost, NewPullRequest, PullRequest } from '../git-host/git-host.ts'
import { GitHostError, toReason } from '../git-host/git-host-error.ts'
import { pause } from '../git-host/pause.ts'

export interface EnsurePullRequestDeps {
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

export interface PullRequestReady {
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

export interface PullRequestRefused {
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

/**
 * Finds a job's pull request in any state, or creates it. Any worker can safely repeat this at any
 * time. Returns a closed or merged pull request unchanged and never replaces it. Before a retry,
 * looks for the pull request again if the outcome of the creation is unknown (5xx, reset, timeout)
 * or the host rejects it, because it may exist. Labels are best effort. Expected rejections are
 * returned, not thrown.
 * @throws GitHostError for all other errors
 */
export async function ensurePullRequest(
  deps: EnsurePullRequestDeps,
  input: EnsurePullRequestInput,
): Promise<PullRequestReady | PullRequestRefused> {
  let task = input
  for (let attempt = 1; ; attempt += 1) {
    const found = await findPullRequest(deps, task)
    if (found) return finishPullRequest(deps, task, found, false)
    const step = await createPullRequest(deps, task)
    if (step.kind === 'created') return finishPullRequest(deps, task, step.pull, true)
    if (!step.again || attempt >= ATTEMPTS) return giveUp(deps, task, step.reason)
    if (step.withoutDraft) task = { ...task, draft: false }
    await pauseAfter(deps, task, attempt)
  }
}

/**
 * Returns the pull request if it exists although its creation was rejected: hosts have many forms of
 * that rejection.
 */
async function giveUp(
  deps: EnsurePullRequestDeps,
  task: EnsurePullRequestInput,
  reason: NotCreated['reason'],
): Promise<PullRequestReady | PullRequestRefused> {
  const isFinal = reason instanceof GitHostError && !reason.isOutcomeUnknown && reason.code !== 'validation'
  const found = isFinal ? null : await findPullRequest(deps, task)
  if (found) return finishPullRequest(deps, task, found, false)
  if (reason instanceof GitHostError) throw reason
  return reason
}

interface NotCreated {
  readonly kind: 'not_created'
  readonly reason: PullRequestRefused | GitHostError
  /** True to look up the pull request again and retry if it is not found. */
  readonly again: boolean
  readonly withoutDraft?: boolean
}

type Step = { readonly kind: 'created'; readonly pull: PullRequest } | NotCreated

async function createPullRequest({ gitHost }: EnsurePullRequestDeps, task: EnsurePullRequestInput): Promise<Step> {
  const { branch, base, title, body, draft, signal } = task
  try {
    const pull = await gitHost.createPullRequest({ branch, base, title, body, draft, signal })
    return { kind: 'created', pull }
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    return toNextStep(error, task)
  }
}

function toNextStep(error: GitHostError, task: EnsurePullRequestInput): NotCreated {
  const fail = (again: boolean): NotCreated => ({ kind: 'not_created', reason: error, again })
  const refuse = (code: PullRequestRefused['code'], message: string, again = false): NotCreated => ({
    kind: 'not_created',
    reason: { kind: 'refused', code, message },
    again,
  })
  if (error.isOutcomeUnknown) return fail(true)
  switch (error.problem) {
    case 'already_exists':
      // The lookup found no pull request, so the host's list is out of date.
      return fail(true)
    case 'no_drafts':
      return task.draft ? { ...fail(true), withoutDraft: true } : fail(false)
    case 'no_commits':
      return refuse(
        'no_commits',
        `The branch ${task.branch} has no commits that are missing from ${task.base}, so there is no change to publish.`,
      )
    case 'unknown_head':
      // The API may not list a branch until shortly after the push.
      return refuse('invalid_head', `The branch ${task.branch} is no longer on the host. Retry the job.`, true)
    case 'unknown_base':
      return refuse(
        'invalid_base',
        `The base branch ${task.base} does not exist on the host. Correct the base branch in the job or the project settings.`,
      )
    case null:
      return fail(false)
  }
}

type Apply = (deps: EnsurePullRequestDeps, task: EnsurePullRequestInput, pull: PullRequest) => Promise<void>

/**
 * Settings that a host accepts only after the pull request is open, in the order they are applied.
 * Best effort: `apply` does not throw. On an existing pull request, a setting for which `isSet`
 * returns true is left unchanged, because a user may have edited it.
 */
const SETTINGS: Readonly<
  Record<
    Exclude<keyof PullRequestSettings, keyof NewPullRequest>,
    { readonly isSet: (pull: PullRequest) => boolean; readonly apply: Apply }
  >
> = {
  labels: { isSet: (pull) => pull.hasLabels, apply: addLabels },
  reviewers: {
    isSet: (pull) => pull.hasReviewers,
    apply: (deps, task, { number, author }) => requestReviews(deps, { ...task, number, author }),
  },
}

/** Checks the pull request's head and applies missing settings. */
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
    for (const { isSet, apply } of Object.values(SETTINGS)) {
      if (created || !isSet(current)) await apply(deps, task, current)
    }
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
    await pauseAfter(deps, { signal }, attempt)
    current = (await deps.gitHost.findPullRequest({ number, branch, signal })) ?? current
  }
}

async function addLabels(
  deps: EnsurePullRequestDeps,
  task: EnsurePullRequestInput,
  { number }: PullRequest,
): Promise<void> {
  const { labels } = task
  if (labels.length === 0) return
  const signal = AbortSignal.any([task.signal, AbortSignal.timeout(LABELS_MS)])
  try {
    await deps.gitHost.addLabels({ number, labels, signal })
  } catch (error) {
    // A pull request without labels is better than a failed job.
    deps.log.warn({ jobId: task.jobId, number, reason: toReason(error) }, 'labels not added to a pull request')
  }
}

function pauseAfter(deps: EnsurePullRequestDeps, { signal }: { signal: AbortSignal }, attempt: number): Promise<void> {
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
  deps: { gitHost: GitHost },
  input: { branch: string; expectedHead: string; jobId: string; signal: AbortSignal },
): Promise<PullRequest | null> {
  const { branch, expectedHead, jobId, signal } = input
  const candidates = await deps.gitHost.listPullRequests({ branch, signal })
  const certain =
    candidates.find((one) => one.headSha === expectedHead) ??
    candidates.find((one) => one.state === 'open') ??
    candidates.find((one) => branch.includes(jobId) || one.body.includes(jobId))
  if (certain) return certain
  for (const one of candidates) {
    if (await deps.gitHost.hasCommit({ number: one.number, commit: expectedHead, signal })) return one
  }
  return null
}

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
