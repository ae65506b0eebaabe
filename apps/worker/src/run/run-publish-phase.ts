import {
  assertWritable,
  type Claim,
  type FrozenPublish,
  type RunChanges,
  type RunOutcome,
  recordPush,
} from '@corrigenda/core/runs'
import { withSpan } from '@corrigenda/core/tracing'
import { type BuiltCommit, buildCommit, PushRejectedError, pushBranch } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import { openSnapshot, withToken } from '../git-host/git-access.ts'
import type { GitHost, GuardWrite, PullRequest } from '../git-host/git-host.ts'
import { GitHostError, toReason } from '../git-host/git-host-error.ts'
import { toJobTrailer } from '../publish/build-commit-message.ts'
import { appendSection } from '../publish/build-follow-up-section.ts'
import { ensurePullRequest, findPullRequest } from '../publish/ensure-pull-request.ts'
import { tryRemoveBranch } from '../publish/remove-branch.ts'
import { readChangedFiles, toChanges } from '../publish/to-changes.ts'
import type { HeldRun } from './hold-run.ts'
import { type PrepareDeps, type PreparedRun, refuseClosed } from './prepare-run.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'

const ADOPTED = 'the branch already has a commit of this job, probably from before a restore; the job keeps it'

/**
 * Publishes the frozen change. Any worker can safely repeat this: the frozen content produces the
 * same commit, the push is a no-op if the branch already points to that commit, and the pull
 * request is looked up before it is created. If an execution that the database does not contain has
 * already published a commit of this job, the job keeps that commit.
 * @param frozen.built the commit, or null to rebuild it
 * @throws RunFailure, Git host errors, LostLeaseError, the signal's reason
 */
export async function runPublishPhase(
  deps: PrepareDeps,
  prepared: PreparedRun,
  { publish, built: kept }: { publish: FrozenPublish; built: BuiltCommit | null },
  lease: HeldRun,
): Promise<RunOutcome> {
  const { credentials, log, onPoint, openGitHost } = deps
  const { claim, repository, signal } = prepared
  const { branch, section } = publish
  const { jobId, runId } = claim
  const built = kept ?? (await rebuildCommit(prepared, publish))
  const guard = buildWriteGuard(deps, claim, lease)
  using gitHost = await openGitHost({ credentials, repository, access: 'publish', signal, guard })
  // A repeated publish first looks for the pull request, because a user may have merged it and
  // deleted the branch, which must not be pushed again.
  const published = claim.frozen === null ? null : await findPublished(gitHost, claim, publish, signal)
  let adopted: OwnCommit | null = null
  if (published === null) {
    adopted = await pushOrAdopt(deps, prepared, { gitHost, publish, built, lease })
  } else if (publish.expected === null && published.headSha !== built.commit) {
    adopted = await findOwnCommit(gitHost, claim, publish, signal)
  }
  const { commit } = adopted ?? built
  if (adopted) log.warn({ jobId, runId, branch, commit }, ADOPTED)
  await onPoint('branch.pushed', claim)
  const changes = adopted && (await listAdoptedChanges(deps, prepared, publish, adopted))
  await recordPush(deps, claim, { branch, commit, changes })
  await onPoint('push.recorded', claim)
  const wanted = { ...publish, jobId, base: publish.baseBranch, expectedHead: commit, signal }
  const pull = await withSpan('pull_request', { kind: 'client' }, () => ensurePullRequest({ gitHost, log }, wanted))
  await onPoint('pull.opened', claim)
  if (pull.kind === 'refused') throw new RunFailure(`pull_request_${pull.code}`, pull.message)
  const { number, url, state, draft } = pull
  if (section !== null) await reportFollowUp(deps, claim, gitHost, { number, branch, section, signal })
  return { kind: 'changed', pullRequest: { number, url, branch, state, draft } }
}

/**
 * Pushes the commit.
 * @returns the commit of an earlier execution of the job, which the branch already has and keeps;
 * null if the commit was pushed
 */
async function pushOrAdopt(
  deps: PrepareDeps,
  { claim, repository, signal }: PreparedRun,
  input: { gitHost: GitHost; publish: FrozenPublish; built: BuiltCommit; lease: HeldRun },
): Promise<OwnCommit | null> {
  const { gitHost, publish, built, lease } = input
  const { branch, expected } = publish
  const { branch: own, abandoned = [] } = claim.earlier ?? {}
  if (own && own.pullNumber !== null) await refuseClosed(gitHost, { number: own.pullNumber, branch, signal })
  for (const left of abandoned) await tryRemoveBranch(deps, claim, left, signal)
  // Runs immediately before the request, after any delays in the client, because a process that was
  // suspended during a delay must not send it.
  const beforeWrite = async () => {
    await deps.onPoint('branch.pushing', claim)
    await confirmHeld(deps, claim, lease)
  }
  const push = (token: string) => {
    const http = { ...deps.gitHttp, url: `${repository.url}.git`, token, signal, beforeWrite }
    return pushBranch({ http, branch, expected, built })
  }
  try {
    const access = { repository, access: 'publish', signal } as const
    await withSpan('push', { kind: 'client' }, () => withToken(deps.credentials, access, push))
    return null
  } catch (error) {
    if (!(error instanceof PushRejectedError)) throw error
    const isTaken = error.code === 'branch_conflict'
    // A user pushed to the branch while the follow-up was running.
    if (isTaken && expected !== null) throw new BranchMovedError(error.message)
    const adopted = isTaken ? await findOwnCommit(gitHost, claim, publish, signal) : null
    if (adopted === null) throw new RunFailure(error.code, error.message)
    return adopted
  }
}

/** Rebuilds the commit that an earlier attempt froze. */
async function rebuildCommit(
  { claim, snapshot, workTree }: PreparedRun,
  { commit, commitMessage: message, timestamp, author, signature }: FrozenPublish,
): Promise<BuiltCommit> {
  const changes = workTree.overlay()
  const built = await buildCommit({ snapshot, changes, message, author, committer: author, timestamp, signature })
  if (built?.commit !== commit) throw new Error(`the frozen commit of ${claim.runId} cannot be rebuilt`)
  return built
}

/**
 * Reports a finished follow-up on its pull request: adds its section to the body. Another worker may
 * repeat this call, so each report contains a mark that identifies it. The requested result is
 * the commit, so the run does not fail if the pull request is locked or its body cannot be changed.
 * @throws errors that a retry may resolve
 */
async function reportFollowUp(
  deps: PrepareDeps,
  { runId, jobId }: Claim,
  gitHost: GitHost,
  input: { number: number; branch: string; section: string; signal: AbortSignal },
): Promise<void> {
  try {
    await appendSection(gitHost, { ...input, runId })
  } catch (error) {
    if (toRunEnd(error)?.kind !== 'failed') throw error
    deps.log.warn({ runId, jobId, reason: toReason(error) }, 'pull request body not updated for a follow-up')
  }
}

/**
 * Checks immediately before an irreversible action that this worker holds the run: first in the
 * database, then by the process's own clocks, because it may have been suspended during the check.
 * @throws LostLeaseError
 */
async function confirmHeld(deps: PrepareDeps, claim: Claim, lease: HeldRun): Promise<void> {
  await assertWritable(deps, claim)
  lease.assertHeld()
}

/**
 * Builds a guard that allows writes to the Git host only while the lease is held. A cancellation
 * does not interrupt a write, because the write's outcome would be unknown.
 */
function buildWriteGuard(deps: PrepareDeps, claim: Claim, lease: HeldRun): GuardWrite {
  return async ({ opensPullRequest }, send) => {
    if (opensPullRequest) await deps.onPoint('pull.opening', claim)
    await confirmHeld(deps, claim, lease)
    return lease.protect(send)
  }
}

/** Returns the pull request if it contains the frozen commit, or if a new job's branch has one. */
async function findPublished(
  gitHost: GitHost,
  claim: Claim,
  { branch, commit, expected }: FrozenPublish,
  signal: AbortSignal,
): Promise<PullRequest | null> {
  const found = await findPullRequest(gitHost, { branch, expectedHead: commit, jobId: claim.jobId, signal })
  // A follow-up's pull request exists before its commit does.
  if (found === null || expected === null || found.headSha === commit) return found
  return (await gitHost.hasCommit({ number: found.number, commit, signal })) ? found : null
}

/** A commit of this job that the database does not contain. */
interface OwnCommit {
  readonly commit: string
  readonly parent: string
}

/**
 * Returns the newest commit of a new job's branch if an earlier execution of the same job made it.
 * This happens after the database was restored from a backup: the branch was pushed after the
 * backup, and the repeated execution produced another commit. The commit must name the job in its
 * trailer, and its author and committer must be those of the job's commits. Commits of other
 * authors, including amended ones, are never adopted.
 * @throws GitHostError
 */
async function findOwnCommit(
  gitHost: GitHost,
  { jobId }: Pick<Claim, 'jobId'>,
  { branch, author }: Pick<FrozenPublish, 'branch' | 'author'>,
  signal: AbortSignal,
): Promise<OwnCommit | null> {
  const tip = await gitHost.getBranch({ branch, signal }).catch((error: unknown) => {
    if (error instanceof GitHostError && error.code === 'not_found') return null
    throw error
  })
  const [parent, ...more] = tip?.parents ?? []
  if (tip === null || parent === undefined || more.length > 0) return null
  const isNamed = tip.message.split('\n').includes(toJobTrailer(jobId))
  const isOurs = [tip.author, tip.committer].every((one) => one?.name === author.name && one.email === author.email)
  return isNamed && isOurs ? { commit: tip.commit, parent } : null
}

/**
 * Returns the changes of a commit of an earlier execution, which replace those of this execution in
 * the job record.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
async function listAdoptedChanges(
  deps: PrepareDeps,
  { claim, repository, signal }: PreparedRun,
  { branch, baseBranch }: FrozenPublish,
  { commit, parent }: OwnCommit,
): Promise<RunChanges> {
  const { projectId } = claim
  await using base = await openSnapshot(deps, { projectId, repository, branch: baseBranch, commit: parent, signal })
  await using snapshot = await openSnapshot(deps, { projectId, repository, branch, commit, signal })
  const files = await readChangedFiles({ base, workTree: { snapshot, overlay: () => [] } })
  return redactValue({ baseCommit: parent, ...toChanges(files) }, deps.secrets)
}
