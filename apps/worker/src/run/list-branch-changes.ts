import type { WholeChange } from '@corrigenda/agent/loop'
import type { AgentSource } from '@corrigenda/agent/sources'
import type { Claim } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { GitHostError } from '../git-host/git-host-error.ts'
import { withToken } from '../git-host/with-token.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import type { ChangedFile } from '../publish/to-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A pull request's changes relative to its base. */
export interface BranchChanges {
  readonly baseCommit: string
  readonly files: readonly ChangedFile[]
}

/**
 * Maximum number of changed files. If a branch has more, for example after a large merge, its
 * changes are not listed.
 */
export const MAX_FILES = 2_000

/**
 * Returns all changes that the pull request will contain after this run. For a follow-up, they
 * include changes by earlier runs and by users. Returns null if the changes cannot be determined
 * because the base commit is no longer available or the branch differs too much from it.
 * @throws the signal's reason
 */
export async function listBranchChanges(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  signal: AbortSignal,
): Promise<BranchChanges | null> {
  const { snapshot, workTree } = prepared
  if (!claim.earlier?.branch) {
    return { baseCommit: snapshot.commit, files: await readChangedFiles({ base: snapshot, workTree }) }
  }
  try {
    await using base = await openPullRequestBase(deps, claim, prepared, signal)
    if (base === null) return null
    return { baseCommit: base.commit, files: await readChangedFiles({ base, workTree, maxFiles: MAX_FILES }) }
  } catch (error) {
    signal.throwIfAborted()
    const { runId, jobId } = claim
    deps.log.info({ runId, jobId, err: error }, 'branch changes unavailable')
    return null
  }
}

/**
 * Opens the commit that the pull request of a follow-up is compared with; null for a first run, and
 * if the commit is not known.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
export async function openPullRequestBase(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  signal: AbortSignal,
): Promise<Snapshot | null> {
  const { repository } = prepared
  const own = claim.earlier?.branch
  if (!own || own.baseCommit === null) return null
  const commit = (await findMergeBase(deps, prepared, own.base, signal)) ?? own.baseCommit
  return await withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
    deps.mirrors.openSnapshot({
      tenant: claim.projectId,
      url: `${claim.repositoryUrl}.git`,
      branch: own.base,
      commit,
      token,
      signal,
    }),
  )
}

/**
 * Returns the pull request's merge base; null if the host does not provide it. After a user rebases
 * the branch or merges the base into it, the merge base is newer than the commit that the branch
 * started from. A comparison with the older commit would include unrelated changes to the base.
 */
async function findMergeBase(
  { credentials, openGitHost }: WorkerDeps,
  { repository, snapshot }: PreparedRun,
  base: string,
  signal: AbortSignal,
): Promise<string | null> {
  const gitHost = await openGitHost({ credentials, repository, access: 'read', signal })
  try {
    return (await gitHost.compareCommits({ base, head: snapshot.commit })).mergeBase
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof GitHostError)) throw error
    return null
  } finally {
    gitHost.close()
  }
}

export interface OpenedChange extends AsyncDisposable {
  readonly change: WholeChange
}

/**
 * Opens the difference between the pull request's base and the work tree, which the leak guard
 * compares: every message of a follow-up could otherwise add a part of the same passage. Returns null
 * for a first run, without private sources, and if the base commit is no longer known.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
export async function openWholeChange(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  sources: readonly AgentSource[],
  signal: AbortSignal,
): Promise<OpenedChange | null> {
  if (!sources.some(({ visibility }) => visibility === 'private')) return null
  const base = await openPullRequestBase(deps, claim, prepared, signal).catch((error: unknown) => {
    // The host may have removed the commit. The change of this message is compared without it.
    if (!(error instanceof RepositoryError && error.code === 'commit_not_found')) throw error
    return null
  })
  if (base === null) return null
  const { listBase, readBase } = await openWorkTree({ snapshot: base, overlay: [] })
  const { workTree } = prepared
  const changes = async () =>
    (await readChangedFiles({ base, workTree, maxFiles: MAX_FILES })).map(({ path, kind, before, after }) => {
      return { path, kind, before, after }
    })
  return { change: { listBase, readBase, changes }, [Symbol.asyncDispose]: () => base[Symbol.asyncDispose]() }
}
