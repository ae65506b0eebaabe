import { pause } from '../github/call-github.ts'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import type { FoundPullRequest, PullRequestHead } from './find-pull-request.ts'
import { findPullRequest, hasCommit, toPullRequest } from './find-pull-request.ts'
import { getRepositoryName } from './get-repository-name.ts'
import { requestReviews } from './request-reviews.ts'

export interface EnsurePullRequestDeps {
  readonly github: GitHub
  /** Wait before the second attempt in ms, doubled for each further one; default 1000. */
  readonly waitMs?: number
}

export interface EnsurePullRequestInput {
  /** A job's own pull request names the job in its branch or in its text. */
  readonly jobId: string
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly draft: boolean
  readonly labels: readonly string[]
  /** Logins, and `organization/team` for teams. Best effort, like labels. */
  readonly reviewers: readonly string[]
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
  /** False when it was there before, or when an attempt whose answer was lost had created it. */
  readonly created: boolean
}

export interface PullRequestRefused {
  readonly kind: 'refused'
  /** `no_commits`: the branch holds nothing the base lacks. `head_mismatch`: the branch no longer holds this job's commit. */
  readonly code: 'no_commits' | 'invalid_head' | 'invalid_base' | 'head_mismatch'
  readonly message: string
}

/** The input with the repository's present name. */
type Task = EnsurePullRequestInput & { readonly head: PullRequestHead }

const ATTEMPTS = 4
const LABELS_MS = 10_000

/**
 * The one pull request of a job: found in any state, or else created. May be repeated by anyone at any time. A closed or merged
 * one is reported as it is, never replaced. When the outcome of a creation is unknown (5xx, reset, timeout), and when the host
 * says that one exists, it is looked up again before anything else. Labels are best effort.
 * Expected refusals are values; throws {@link GitHubError} for the rest.
 */
export async function ensurePullRequest(
  deps: EnsurePullRequestDeps,
  input: EnsurePullRequestInput,
): Promise<PullRequestReady | PullRequestRefused> {
  const name = await getRepositoryName(deps, input)
  let task: Task = { ...input, head: { ...name, branch: input.branch } }
  for (let attempt = 1; ; attempt += 1) {
    const found = await findPullRequest(deps, task)
    if (found) return settle(deps, task, found, false)
    const step = await createPullRequest(deps, task)
    if (step.kind === 'created') return settle(deps, task, step.pull, true)
    if (!step.again || attempt >= ATTEMPTS) {
      if (step.reason instanceof GitHubError) throw step.reason
      return step.reason
    }
    if (step.withoutDraft) task = { ...task, draft: false }
    await pauseAfter(deps, task, attempt)
  }
}

interface NotCreated {
  readonly kind: 'not_created'
  readonly reason: PullRequestRefused | GitHubError
  /** Whether to look up and, if nothing is there, try once more. */
  readonly again: boolean
  readonly withoutDraft?: boolean
}

type Step = { readonly kind: 'created'; readonly pull: FoundPullRequest } | NotCreated

async function createPullRequest(deps: EnsurePullRequestDeps, task: Task): Promise<Step> {
  const { owner, repo, branch } = task.head
  const { title, body, base, draft } = task
  try {
    const answer = await deps.github.call(
      'open the pull request',
      (octokit, request) => octokit.rest.pulls.create({ owner, repo, title, body, head: branch, base, draft, request }),
      // The client must not repeat it by itself: a lost answer may mean that it was created.
      { signal: task.signal, retries: 0 },
    )
    const pull = toPullRequest(task.head, answer)
    if (pull !== null) return { kind: 'created', pull }
    throw new GitHubError('server_error', `The host opened a pull request, but not from the branch ${branch}.`)
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return toNextStep(error, task)
  }
}

function toNextStep(error: GitHubError, task: Task): NotCreated {
  const says = (pattern: RegExp) => error.problems.some((one) => pattern.test(one.message ?? ''))
  const isInvalid = (field: string) => error.problems.some((one) => one.field === field)
  const fail = (again: boolean): NotCreated => ({ kind: 'not_created', reason: error, again })
  const refuse = (code: PullRequestRefused['code'], message: string, again = false): NotCreated => ({
    kind: 'not_created',
    reason: { kind: 'refused', code, message },
    again,
  })
  if (error.isOutcomeUnknown) return fail(true)
  if (error.code !== 'validation') return fail(false)
  // The look-up found none, so the host's list lags behind.
  if (says(/already exists/i)) return fail(true)
  if (task.draft && /draft pull requests are not supported/i.test(error.message)) {
    return { ...fail(true), withoutDraft: true }
  }
  if (says(/no commits between/i)) {
    return refuse(
      'no_commits',
      `The branch ${task.branch} holds nothing that ${task.base} lacks, so there is nothing to propose.`,
    )
  }
  // A branch may take a moment after the push to be known to the API.
  if (isInvalid('head')) {
    return refuse('invalid_head', `The branch ${task.branch} is no longer on the host. Retry the job.`, true)
  }
  if (isInvalid('base')) {
    return refuse(
      'invalid_base',
      `The base branch ${task.base} does not exist on the host. Correct the base branch of the job or the project.`,
    )
  }
  return fail(false)
}

async function settle(
  deps: EnsurePullRequestDeps,
  task: Task,
  pull: FoundPullRequest,
  created: boolean,
): Promise<PullRequestReady | PullRequestRefused> {
  const current = pull.state === 'open' ? await findWithHead(deps, task, pull) : pull
  if (current === null) {
    return {
      kind: 'refused',
      code: 'head_mismatch',
      message: `The branch ${task.branch} was changed by someone else and no longer holds this job's commit. Delete the branch or choose another one, and retry the job.`,
    }
  }
  // On a pull request that was there before, missing labels may be labels that a person took off.
  if (current.state === 'open' && (created || !current.hasLabels)) await addLabels(deps, task, current.number)
  if (current.state === 'open' && (created || !current.hasReviewers)) {
    await requestReviews(deps, { ...task, number: current.number, author: current.author })
  }
  const { number, url, state, draft, headSha } = current
  return { kind: 'ready', number, url, state, draft, headSha, created }
}

/** The pull request once it shows the job's commit, at its tip or below later ones; its head may lag seconds behind a push. */
async function findWithHead(
  deps: EnsurePullRequestDeps,
  task: Task,
  pull: FoundPullRequest,
): Promise<FoundPullRequest | null> {
  const { owner, repo } = task.head
  let current = pull
  for (let attempt = 1; ; attempt += 1) {
    if (current.state !== 'open' || current.headSha === task.expectedHead) return current
    if (await hasCommit(deps, { ...task, number: current.number })) return current
    if (attempt >= ATTEMPTS) return null
    await pauseAfter(deps, task, attempt)
    const answer = await deps.github.call(
      'read the pull request',
      (octokit, request) => octokit.rest.pulls.get({ owner, repo, pull_number: pull.number, request }),
      { signal: task.signal },
    )
    current = toPullRequest(task.head, answer) ?? current
  }
}

async function addLabels(deps: EnsurePullRequestDeps, task: Task, number: number): Promise<void> {
  if (task.labels.length === 0) return
  const { owner, repo } = task.head
  const labels = [...task.labels]
  const signal = AbortSignal.any([task.signal, AbortSignal.timeout(LABELS_MS)])
  await deps.github
    .call(
      'label the pull request',
      (octokit, request) => octokit.rest.issues.addLabels({ owner, repo, issue_number: number, labels, request }),
      { signal, retries: 0 },
    )
    .catch(() => null)
}

function pauseAfter(deps: EnsurePullRequestDeps, task: Task, attempt: number): Promise<void> {
  const { host } = deps.github.repository
  const context = { what: 'open the pull request', target: `${host}/${task.head.owner}/${task.head.repo}` }
  return pause((deps.waitMs ?? 1000) * 2 ** (attempt - 1), { ...context, signal: task.signal })
}
