import { AppError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { ensureMergeDeployment } from '@corrigenda/core/deployments'
import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import {
  claimPullRequestPoll,
  type PullRequestPoll,
  postponePullRequestPoll,
  recordBranchDeleted,
  recordPullRequestPoll,
} from '@corrigenda/core/pull-requests'
import { CredentialsError } from '../git-host/credentials.ts'
import { forProject, openWithBestAccess, type RepositoryWorkDeps, toAllowedRepository } from '../git-host/git-access.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { removeBranch } from '../publish/remove-branch.ts'
import { type ConversationDeps, converse } from './converse.ts'

/**
 * Maximum number of concurrent polls, so that an unresponsive host does not delay pull requests on
 * other hosts.
 */
const SLOTS = 4
const LIMIT_MS = 30_000
const RETRY_MS = 15 * 60_000
/** Retry interval after permanent errors, such as a deleted repository or a rejected token. */
const LONG_RETRY_MS = 6 * 3_600_000
const PASSING = new Set(['rate_limited', 'server_error', 'network', 'timeout', 'aborted', 'protocol'])

/** Polls due pull requests until stopped. Stopping aborts the polls in progress. */
export function startPullRequestPolls(deps: ConversationDeps & { seconds: number }): Polling {
  const shutdown = new AbortController()
  const loop = pollUntilStopped(deps, {
    name: 'pull requests',
    everyMs: deps.seconds * 1000,
    slots: SLOTS,
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

/**
 * Polls one pull request. Records its state, starts a deployment if the pull request was merged,
 * and deletes its branch if the pull request is no longer open. Never throws host errors.
 */
export async function pollPullRequest(
  given: ConversationDeps,
  poll: PullRequestPoll,
  shutdown: AbortSignal,
): Promise<void> {
  const deps = forProject(given, poll.projectId)
  const { jobId, number, branch } = poll
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(LIMIT_MS)])
  try {
    const repository = toAllowedRepository(deps, poll.repositoryUrl)
    // Without the permission to read checks, everything else can be read.
    using gitHost = await openWithBestAccess(deps, { repository, access: 'watch', signal })
    const pull = await gitHost.findPullRequest({ number, branch })
    if (pull === null) return await postponePullRequestPoll(deps, poll, { afterMs: LONG_RETRY_MS, isAsked: false })
    const { state, draft, headSha: commit } = pull
    const checks = await gitHost.findChecks({ commit })
    if (state === 'merged' && poll.shallDeployMerge) await deployMerge(deps, poll)
    const openWriter = () => deps.openGitHost({ credentials: deps.credentials, repository, access: 'publish', signal })
    const hasOpenRemarks = state === 'open' && (await tryConverse(deps, poll, { pull, gitHost, openWriter }))
    const changed = await recordPullRequestPoll(deps, poll, { state, draft, checks, hasOpenRemarks })
    if (changed) deps.log.info({ jobId, state, checks }, 'pull request changed')
    // Runs last, so that a failed deletion does not prevent recording the pull request's state. If
    // it fails, later polls retry it for up to an hour.
    if (state !== 'open' && poll.shallDeleteBranch && !poll.isWorkedOn) {
      try {
        const isGone = await removeBranch(deps, { branch, commit }, { repository, signal })
        if (isGone) await recordBranchDeleted(deps, poll)
      } catch (error) {
        if (isConnectionError(error) || signal.aborted) return
        const { code = 'unknown' } = error as { code?: unknown }
        deps.log.warn({ jobId, code }, 'branch of a closed pull request not deleted')
      }
    }
  } catch (error) {
    if (isConnectionError(error) || shutdown.aborted) return
    const code = error instanceof GitHostError || error instanceof CredentialsError ? error.code : null
    if (code === null) deps.log.error({ jobId, err: error }, 'pull request poll failed')
    else deps.log.warn({ jobId, code }, 'pull request poll failed')
    const asked = error instanceof GitHostError ? error.retryAfterMs : null
    const wait = code === null || PASSING.has(code) ? RETRY_MS : LONG_RETRY_MS
    await postponePullRequestPoll(deps, poll, { afterMs: Math.max(asked ?? 0, wait), isAsked: code === 'rate_limited' })
  }
}

/** The state of a pull request is recorded even if its comments cannot be read or answered. */
async function tryConverse(
  deps: ConversationDeps,
  poll: PullRequestPoll,
  input: Parameters<typeof converse>[2],
): Promise<boolean> {
  try {
    return await converse(deps, poll, input)
  } catch (error) {
    if (!(error instanceof GitHostError || error instanceof CredentialsError)) throw error
    if (error.code === 'rate_limited' || error.code === 'aborted') throw error
    deps.log.warn({ jobId: poll.jobId, code: error.code }, 'comments on a pull request not handled')
    return poll.openRemarks.length > 0 && PASSING.has(error.code)
  }
}

async function deployMerge(deps: RepositoryWorkDeps, { jobId, projectId }: PullRequestPoll): Promise<void> {
  try {
    await ensureMergeDeployment(deps, { projectId, jobId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ jobId, code: error.code }, 'merge not deployed')
  }
}
