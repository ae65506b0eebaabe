import { type Claim, type FrozenPublish, type RunOutcome, recordPush } from '@corrigenda/core'
import { buildCommit, PushRejectedError, pushBranch } from '@corrigenda/git/commit'
import { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import { withToken } from '../github/with-token.ts'
import { appendSection } from '../publish/append-section.ts'
import { ensurePullRequest } from '../publish/ensure-pull-request.ts'
import { findPullRequest, hasCommit } from '../publish/find-pull-request.ts'
import { getRepositoryName } from '../publish/get-repository-name.ts'
import { AUTHOR } from './author.ts'
import type { HeldLease } from './hold-lease.ts'
import type { PreparedRun } from './prepare-run.ts'
import { refuseClosed } from './refuse-closed.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import { removeBranchAt } from './settle-run.ts'
import { toRunEnd } from './to-run-end.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * The part that may be repeated by anyone: the frozen content gives the same commit again, the push is a no-op when the branch stands, and the pull
 * request is looked up before it is created.
 * @throws RunFailure, errors of the Git host, LostLeaseError, the signal's reason
 */
export async function runPublishPhase(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  publish: FrozenPublish,
  lease: HeldLease,
): Promise<RunOutcome> {
  const { signal } = lease
  const { repository, snapshot, workTree } = prepared
  const { branch, commitMessage: message, timestamp } = publish
  const built = await buildCommit({
    snapshot,
    changes: workTree.overlay(),
    message,
    author: AUTHOR,
    committer: AUTHOR,
    timestamp,
  })
  if (built?.commit !== publish.commit) throw new Error(`the frozen commit of ${claim.runId} cannot be built again`)
  const github = await openGitHub(
    { ...deps.github, credentials: deps.credentials, fetch: buildGuardedFetch(deps, claim, lease) },
    { repository, access: 'publish', signal },
  )
  // Directly before the request, however long the client has waited with it: a process that was stopped meanwhile must not send it.
  const beforeWrite = async () => {
    await deps.onPoint('branch.pushing', claim)
    lease.assertHeld()
  }
  try {
    // A repetition looks first: people may have merged the pull request and deleted the branch meanwhile, and it must not come back.
    const isPublished = claim.frozen !== null && (await hasPullRequest(github, claim, publish, signal))
    const pullNumber = claim.earlier?.branch?.pullNumber ?? null
    if (!isPublished && pullNumber !== null) await refuseClosed(github, { number: pullNumber, branch, signal })
    if (!isPublished) {
      for (const left of claim.earlier?.abandoned ?? []) await removeBranchAt(deps, claim, left, signal)
      const http = { ...deps.gitHttp, url: `${claim.repositoryUrl}.git`, signal, beforeWrite }
      await withToken(deps.credentials, { repository, access: 'publish', signal }, (token) =>
        push({ http: { ...http, token }, branch, expected: publish.expected, built }),
      )
    }
    await deps.onPoint('branch.pushed', claim)
    await recordPush(deps, claim, { branch, commit: built.commit })
    await deps.onPoint('push.recorded', claim)
    const pull = await ensurePullRequest(
      { github },
      {
        jobId: claim.jobId,
        branch,
        base: publish.baseBranch,
        title: publish.title,
        body: publish.body,
        draft: publish.draft,
        labels: publish.labels,
        reviewers: publish.reviewers,
        expectedHead: publish.commit,
        signal,
      },
    )
    await deps.onPoint('pull.opened', claim)
    if (pull.kind === 'refused') throw new RunFailure(`pull_request_${pull.code}`, pull.message)
    const { number, url, state, draft } = pull
    if (publish.section !== null)
      await describeFollowUp(deps, claim, github, { number, section: publish.section, signal })
    return { kind: 'changed', pullRequest: { number, url, branch, state, draft } }
  } finally {
    github.close()
  }
}

/** The commit is what was asked for: a text that may not be changed, or is locked, does not undo it. @throws what may pass by itself */
async function describeFollowUp(
  deps: WorkerDeps,
  { runId, jobId }: Claim,
  github: GitHub,
  input: { number: number; section: string; signal: AbortSignal },
): Promise<void> {
  try {
    const name = await getRepositoryName({ github }, { signal: input.signal })
    await appendSection({ github }, { ...input, name, runId })
  } catch (error) {
    if (toRunEnd(error)?.kind !== 'failed') throw error
    const reason = error instanceof GitHubError ? error.code : 'unknown'
    deps.log.warn({ runId, jobId, reason }, 'a follow-up could not be described in the text of its pull request')
  }
}

/** Writes to the Git host only while the lease is held, and is not cut off by a cancel while it does: the outcome would be unknown. */
function buildGuardedFetch(deps: WorkerDeps, claim: Claim, lease: HeldLease): typeof fetch {
  const send = deps.github.fetch ?? fetch
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET') return send(input, init)
    if (new URL(String(input)).pathname.endsWith('/pulls')) await deps.onPoint('pull.opening', claim)
    lease.assertHeld()
    return lease.protect(() => send(input, init))
  }
}

async function hasPullRequest(
  github: GitHub,
  claim: Claim,
  publish: FrozenPublish,
  signal: AbortSignal,
): Promise<boolean> {
  const name = await getRepositoryName({ github }, { signal })
  const head = { ...name, branch: publish.branch }
  const wanted = { head, expectedHead: publish.commit, signal }
  const found = await findPullRequest({ github }, { ...wanted, jobId: claim.jobId })
  // The pull request of a follow-up was there before its commit was.
  if (found === null || publish.expected === null) return found !== null
  return found.headSha === publish.commit || (await hasCommit({ github }, { ...wanted, number: found.number }))
}

async function push(input: Parameters<typeof pushBranch>[0]): Promise<void> {
  try {
    await pushBranch(input)
  } catch (error) {
    if (!(error instanceof PushRejectedError)) throw error
    // People pushed to the branch while a follow-up was at work on it.
    if (error.code === 'branch_conflict' && input.expected !== null) throw new BranchMovedError(error.message)
    throw new RunFailure(error.code, error.message)
  }
}
