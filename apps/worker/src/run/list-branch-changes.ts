import type { WholeChange } from '@corrigenda/agent/loop'
import type { AgentSource } from '@corrigenda/agent/sources'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { openSnapshot } from '../git-host/git-access.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { type ChangedFile, readChangedFiles } from '../publish/to-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { RepositoryDeps } from './prepare-sources.ts'

/** A pull request's changes relative to its base. */
interface BranchChanges {
  readonly baseCommit: string
  readonly files: readonly ChangedFile[]
}

/**
 * Maximum number of changed files. If a branch has more, for example after a large merge, its
 * changes are not listed.
 */
const MAX_FILES = 2_000

/**
 * Returns all changes that the pull request will contain after this run. For a follow-up, they
 * include changes by earlier runs and by users. Returns null if the changes cannot be determined
 * because the base commit is no longer available or the branch differs too much from it.
 * @throws the signal's reason
 */
export async function listBranchChanges(deps: RepositoryDeps, prepared: PreparedRun): Promise<BranchChanges | null> {
  const { claim, snapshot, workTree, signal } = prepared
  if (!claim.earlier?.branch) {
    return { baseCommit: snapshot.commit, files: await readChangedFiles({ base: snapshot, workTree }) }
  }
  try {
    await using base = await openPullRequestBase(deps, prepared)
    if (base === null) return null
    return { baseCommit: base.commit, files: await readChangedFiles({ base, workTree, maxFiles: MAX_FILES }) }
  } catch (error) {
    signal.throwIfAborted()
    const { runId, jobId } = claim
    deps.log.info({ runId, jobId, err: error }, 'branch changes unavailable')
    return null
  }
}

interface OpenedChange extends AsyncDisposable {
  readonly change: WholeChange
}

/**
 * Opens the difference between the pull request's base and the work tree, which the leak guard
 * compares: every message of a follow-up could otherwise add a part of the same passage. Returns null
 * for a first run, without private sources, and if the base commit is no longer known.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
export async function openWholeChange(
  deps: RepositoryDeps,
  prepared: PreparedRun,
  sources: readonly AgentSource[],
): Promise<OpenedChange | null> {
  if (!sources.some(({ visibility }) => visibility === 'private')) return null
  const base = await openPullRequestBase(deps, prepared).catch((error: unknown) => {
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

/**
 * Opens the commit that the pull request of a follow-up is compared with; null for a first run, and
 * if the commit is not known. After a user rebases the branch or merges the base into it, the merge
 * base is newer than the commit that the branch started from. A comparison with the older commit
 * would include unrelated changes to the base.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
async function openPullRequestBase(
  deps: RepositoryDeps,
  { claim, repository, snapshot, signal }: PreparedRun,
): Promise<Snapshot | null> {
  const { projectId, earlier } = claim
  const own = earlier?.branch
  if (!own || own.baseCommit === null) return null
  const { credentials, openGitHost } = deps
  using gitHost = await openGitHost({ credentials, repository, access: 'read', signal })
  const compared = await gitHost.compareCommits({ base: own.base, head: snapshot.commit }).catch((error: unknown) => {
    signal.throwIfAborted()
    // The host does not provide the merge base.
    if (error instanceof GitHostError) return null
    throw error
  })
  const commit = compared?.mergeBase ?? own.baseCommit
  return await openSnapshot(deps, { projectId, repository, branch: own.base, commit, signal })
}
