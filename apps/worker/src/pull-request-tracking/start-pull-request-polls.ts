import { type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { ensureMergeDeployment } from '@corrigenda/core/deployments'
import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { toRepositoryUrl } from '@corrigenda/core/projects'
import {
  claimPullRequestPoll,
  type PullRequestPoll,
  postponePullRequestPoll,
  recordBranchDeleted,
  recordPullRequestPoll,
} from '@corrigenda/core/pull-requests'
import { CredentialsError } from '../git-host/credentials.ts'
import type { ChecksState, GitHost, PullRequest } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { forProject } from '../git-host/with-token.ts'
import { removeBranch } from '../publish/remove-branch.ts'
import type { WorkerDeps } from '../run/worker-deps.ts'

/**
 * Maximum number of concurrent polls, so that an unresponsive host does not delay pull requests on
 * other hosts.
 */
const SLOTS = 4

/** Polls due pull requests until stopped. Stopping aborts the polls in progress. */
export function startPullRequestPolls(deps: TrackingDeps & { seconds: number }): Polling {
  const shutdown = new AbortController()
  const loop = pollUntilStopped(deps, {
    ...{ name: 'pull requests', everyMs: deps.seconds * 1000, slots: SLOTS },
    async poll() {
      const claimed = await claimPullRequestPoll(deps)
      return claimed === null ? [] : [pollPullRequest(deps, claimed, shutdown.signal)]
    },
  })
  return {
    wake: loop.wake,
    stop() {
      shutdown.abort()
      return loop.stop()
    },
  }
}

export type TrackingDeps = Pick<
  WorkerDeps,
  'prisma' | 'log' | 'openGitHost' | 'credentials' | 'gitHttp' | 'allowedRepositoryHosts'
>

type AllowedPoll = PullRequestPoll & { readonly repository: RepositoryAddress }

type PullRequestFacts = PullRequest & { readonly checks: ChecksState | null }

const LIMIT_MS = 30_000
const RETRY_MS = 15 * 60_000
/** Retry interval after permanent errors, such as a deleted repository or a rejected token. */
const LONG_RETRY_MS = 6 * 3_600_000
const PASSING = new Set(['rate_limited', 'server_error', 'network', 'timeout', 'aborted', 'protocol'])

/**
 * Polls one pull request. Records its state, starts a deployment if the pull request was merged,
 * and deletes its branch if the pull request is no longer open. Never throws host errors.
 */
export async function pollPullRequest(
  given: TrackingDeps,
  poll: PullRequestPoll,
  shutdown: AbortSignal,
): Promise<void> {
  const deps = forProject(given, poll.projectId)
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(LIMIT_MS)])
  try {
    const repository = findAllowedRepository(deps, poll)
    if (repository === null)
      return await postponePullRequestPoll(deps, poll, { afterMs: LONG_RETRY_MS, isAsked: false })
    const facts = await readFacts(deps, { ...poll, repository }, signal)
    if (facts === null) return await postponePullRequestPoll(deps, poll, { afterMs: LONG_RETRY_MS, isAsked: false })
    if (facts.state === 'merged' && poll.shallDeployMerge) await deployMerge(deps, poll)
    const { state, draft, checks } = facts
    const changed = await recordPullRequestPoll(deps, poll, { state, draft, checks })
    if (changed) deps.log.info({ jobId: poll.jobId, state, checks }, 'pull request changed')
    // Runs last, so that a failed deletion does not prevent recording the pull request's state.
    if (state !== 'open' && poll.shallDeleteBranch && !poll.isWorkedOn) {
      await cleanUpBranch(deps, { ...poll, repository }, facts, signal)
    }
  } catch (error) {
    if (isConnectionError(error) || shutdown.aborted) return
    const code = error instanceof GitHostError || error instanceof CredentialsError ? error.code : null
    if (code === null) deps.log.error({ jobId: poll.jobId, err: error }, 'pull request poll failed')
    else deps.log.warn({ jobId: poll.jobId, code }, 'pull request poll failed')
    const asked = error instanceof GitHostError ? error.retryAfterMs : null
    const wait = code === null || PASSING.has(code) ? RETRY_MS : LONG_RETRY_MS
    await postponePullRequestPoll(deps, poll, { afterMs: Math.max(asked ?? 0, wait), isAsked: code === 'rate_limited' })
  }
}

/** Returns null if the operator no longer allows the host, so that no token is sent to it. */
function findAllowedRepository(deps: TrackingDeps, poll: PullRequestPoll): RepositoryAddress | null {
  try {
    return toRepositoryAddress(toRepositoryUrl(poll.repositoryUrl, deps.allowedRepositoryHosts))
  } catch {
    deps.log.warn({ jobId: poll.jobId }, 'pull request repository no longer allowed')
    return null
  }
}

async function readFacts(deps: TrackingDeps, poll: AllowedPoll, signal: AbortSignal): Promise<PullRequestFacts | null> {
  const { number, branch } = poll
  const gitHost = await openForWatching(deps, poll, signal)
  try {
    const pull = await gitHost.findPullRequest({ number, branch })
    return pull && { ...pull, checks: await gitHost.findChecks({ commit: pull.headSha }) }
  } finally {
    gitHost.close()
  }
}

/**
 * Opens a client that can read checks. If the App lacks the permission, opens one with
 * `publish` access, which can read everything else.
 */
async function openForWatching(
  { credentials, openGitHost }: TrackingDeps,
  { repository }: AllowedPoll,
  signal: AbortSignal,
): Promise<GitHost> {
  try {
    return await openGitHost({ credentials, repository, access: 'watch', signal })
  } catch (error) {
    if (!(error instanceof CredentialsError) || error.code !== 'permission_missing') throw error
    return openGitHost({ credentials, repository, access: 'publish', signal })
  }
}

async function deployMerge(deps: TrackingDeps, { jobId, projectId }: PullRequestPoll): Promise<void> {
  try {
    await ensureMergeDeployment(deps, { projectId, jobId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ jobId, code: error.code }, 'merge not deployed')
  }
}

/**
 * Removes the branch only if it points to the pull request's head commit. If the deletion fails,
 * later polls retry it for up to an hour.
 */
async function cleanUpBranch(
  deps: TrackingDeps,
  poll: AllowedPoll,
  { headSha: commit }: PullRequestFacts,
  signal: AbortSignal,
): Promise<void> {
  const { branch, repository } = poll
  try {
    const isGone = await removeBranch(deps, { repositoryUrl: repository.url, branch, commit, signal })
    if (isGone) await recordBranchDeleted(deps, poll)
  } catch (error) {
    if (isConnectionError(error) || signal.aborted) return
    const { code = 'unknown' } = error as { code?: unknown }
    deps.log.warn({ jobId: poll.jobId, code }, 'branch of a closed pull request not deleted')
  }
}
