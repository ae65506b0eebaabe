import type { FileChange } from '@corrigenda/contracts'
import { assertWritable, type Claim, type FrozenPublish, type RunOutcome, recordPush } from '@corrigenda/core/runs'
import { withSpan } from '@corrigenda/core/tracing'
import { type BuiltCommit, buildCommit, PushRejectedError, pushBranch } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import type { GitHost, GuardWrite, PullRequest } from '../git-host/git-host.ts'
import { GitHostError, toReason } from '../git-host/git-host-error.ts'
import { withToken } from '../git-host/with-token.ts'
import { appendSection } from '../publish/build-follow-up-section.ts'
import { ensurePullRequest, findPullRequest } from '../publish/ensure-pull-request.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { tryRemoveBranch } from '../publish/remove-branch.ts'
import { toChanges } from '../publish/to-changes.ts'
import type { HeldRun } from './hold-run.ts'
import { type PreparedRun, refuseClosed } from './prepare-run.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'
import type { WorkerDeps } from './worker-deps.ts'

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
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  { publish, built: kept }: { publish: FrozenPublish; built: BuiltCommit | null },
  lease: HeldRun,
): Promise<RunOutcome> {
  const { signal } = lease
  const { repository } = prepared
  const { branch } = publish
  const built = kept ?? (await rebuildCommit(claim, prepared, publish))
  const { credentials } = deps
  const guard = buildWriteGuard(deps, claim, lease)
  const gitHost = await deps.openGitHost({ credentials, repository, access: 'publish', signal, guard })
  // Runs immediately before the request, after any delays in the client, because a process that was
  // suspended during a delay must not send it.
  const beforeWrite = async () => {
    await deps.onPoint('branch.pushing', claim)
    await confirmHeld(deps, claim, lease)
  }
  try {
    // A repeated publish first looks for the pull request, because a user may have merged it and
    // deleted the branch, which must not be pushed again.
    const published = claim.frozen === null ? null : await findPublished(gitHost, claim, publish, signal)
    let adopted: OwnCommit | null = null
    const pullNumber = claim.earlier?.branch?.pullNumber ?? null
    if (published === null && pullNumber !== null) await refuseClosed(gitHost, { number: pullNumber, branch, signal })
    if (published === null) {
      for (const left of claim.earlier?.abandoned ?? []) await tryRemoveBranch(deps, claim, left, signal)
      const http = { ...deps.gitHttp, url: `${claim.repositoryUrl}.git`, signal, beforeWrite }
      try {
        await withSpan('push', { kind: 'client' }, () =>
          withToken(credentials, { repository, access: 'publish', signal }, (token) =>
            push({ http: { ...http, token }, branch, expected: publish.expected, built }),
          ),
        )
      } catch (error) {
        const isTaken = error instanceof RunFailure && error.code === 'branch_conflict'
        adopted = isTaken ? await findOwnCommit(gitHost, claim, publish, signal) : null
        if (adopted === null) throw error
      }
    } else if (publish.expected === null && published.headSha !== built.commit) {
      adopted = await findOwnCommit(gitHost, claim, publish, signal)
    }
    const { commit } = adopted ?? built
    if (adopted) deps.log.warn({ jobId: claim.jobId, runId: claim.runId, branch, commit }, ADOPTED)
    await deps.onPoint('branch.pushed', claim)
    const changes = adopted && (await listAdoptedChanges(deps, claim, prepared, publish, adopted, signal))
    await recordPush(deps, claim, { branch, commit, changes })
    await deps.onPoint('push.recorded', claim)
    const wanted = { jobId: claim.jobId, base: publish.baseBranch, expectedHead: commit }
    const pull = await withSpan('pull_request', { kind: 'client' }, () =>
      ensurePullRequest({ gitHost, log: deps.log }, { ...publish, ...wanted, signal }),
    )
    await deps.onPoint('pull.opened', claim)
    if (pull.kind === 'refused') throw new RunFailure(`pull_request_${pull.code}`, pull.message)
    const { number, url, state, draft } = pull
    if (publish.section !== null)
      await describeFollowUp(deps, claim, gitHost, { number, branch, section: publish.section, signal })
    return { kind: 'changed', pullRequest: { number, url, branch, state, draft } }
  } finally {
    gitHost.close()
  }
}

/** Rebuilds the commit that an earlier attempt froze. */
async function rebuildCommit(
  { runId }: Claim,
  { snapshot, workTree }: PreparedRun,
  { commit, commitMessage: message, timestamp, author, signature }: FrozenPublish,
): Promise<BuiltCommit> {
  const changes = workTree.overlay()
  const built = await buildCommit({ snapshot, changes, message, author, committer: author, timestamp, signature })
  if (built?.commit !== commit) throw new Error(`the frozen commit of ${runId} cannot be rebuilt`)
  return built
}

/**
 * Adds a follow-up's section to its pull request. The requested result is the commit, so the run
 * does not fail if the pull request is locked or its body cannot be changed.
 * @throws errors that a retry may resolve
 */
async function describeFollowUp(
  deps: WorkerDeps,
  { runId, jobId }: Claim,
  gitHost: GitHost,
  input: { number: number; branch: string; section: string; signal: AbortSignal },
): Promise<void> {
  try {
    await appendSection({ gitHost }, { ...input, runId })
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
async function confirmHeld(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<void> {
  await assertWritable(deps, claim)
  lease.assertHeld()
}

/**
 * Builds a guard that allows writes to the Git host only while the lease is held. A cancellation
 * does not interrupt a write, because the write's outcome would be unknown.
 */
function buildWriteGuard(deps: WorkerDeps, claim: Claim, lease: HeldRun): GuardWrite {
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
  const found = await findPullRequest({ gitHost }, { branch, expectedHead: commit, jobId: claim.jobId, signal })
  // A follow-up's pull request exists before its commit does.
  if (found === null || expected === null || found.headSha === commit) return found
  return (await gitHost.hasCommit({ number: found.number, commit, signal })) ? found : null
}

async function push(input: Parameters<typeof pushBranch>[0]): Promise<void> {
  try {
    await pushBranch(input)
  } catch (error) {
    if (!(error instanceof PushRejectedError)) throw error
    // A user pushed to the branch while the follow-up was running.
    if (error.code === 'branch_conflict' && input.expected !== null) throw new BranchMovedError(error.message)
    throw new RunFailure(error.code, error.message)
  }
}

/** A commit of this job that the database does not contain. */
export interface OwnCommit {
  readonly commit: string
  readonly parent: string
}

/**
 * Returns the newest commit of a new job's branch if an earlier execution of the same job made it.
 * This happens after the database was restored from a backup: the branch was pushed after the
 * backup, and the repeated execution produced another commit. The commit must name the job in its
 * trailer, and its author and committer must be those of the job's commits. Commits of others on
 * the branch, also amended ones, are never adopted.
 * @throws GitHostError
 */
export async function findOwnCommit(
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
  const isNamed = tip.message.split('\n').includes(`Corrigenda-Job: ${jobId}`)
  const isOurs = [tip.author, tip.committer].every((one) => one?.name === author.name && one.email === author.email)
  return isNamed && isOurs ? { commit: tip.commit, parent } : null
}

/**
 * Returns the changes of a commit of an earlier execution, which replace those of this execution in
 * the job record.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
async function listAdoptedChanges(
  deps: WorkerDeps,
  claim: Claim,
  { repository }: PreparedRun,
  { branch, baseBranch }: FrozenPublish,
  { commit, parent }: OwnCommit,
  signal: AbortSignal,
): Promise<{ baseCommit: string; files: readonly FileChange[] }> {
  const open = (at: { branch: string; commit: string }) =>
    withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
      deps.mirrors.openSnapshot({
        ...{ tenant: claim.projectId, url: `${claim.repositoryUrl}.git`, ...at, token, signal },
      }),
    )
  await using base = await open({ branch: baseBranch, commit: parent })
  await using snapshot = await open({ branch, commit })
  const files = await readChangedFiles({ base, workTree: { snapshot, overlay: () => [] } })
  return redactValue({ baseCommit: parent, files: toChanges(files) }, deps.secrets)
}
