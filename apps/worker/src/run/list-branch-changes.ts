import type { Claim } from '@corrigenda/core/runs'
import { GitHostError } from '../git-host/git-host-error.ts'
import { withToken } from '../git-host/with-token.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import type { ChangedFile } from '../publish/to-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Changes of a pull request against its base. */
export interface BranchChanges {
  readonly baseCommit: string
  readonly files: readonly ChangedFile[]
}

/**
 * Maximum number of files. A branch with more, such as after a large merge, is not listed file by
 * file.
 */
const MAX_FILES = 2_000

/**
 * Returns all changes that the pull request will contain with the work of this run. For a follow-up
 * they include the changes of earlier runs and of users. Returns null when the changes cannot be
 * determined: the commit of the base is no longer available, or the branch differs too much from
 * it.
 * @throws the signal's reason
 */
export async function listBranchChanges(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  signal: AbortSignal,
): Promise<BranchChanges | null> {
  const { snapshot, workTree, repository } = prepared
  const own = claim.earlier?.branch
  if (!own) return { baseCommit: snapshot.commit, files: await readChangedFiles({ base: snapshot, workTree }) }
  if (own.baseCommit === null) return null
  const commit = (await findMergeBase(deps, prepared, own.base, signal)) ?? own.baseCommit
  try {
    await using base = await withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
      deps.mirrors.openSnapshot({
        tenant: claim.projectId,
        url: `${claim.repositoryUrl}.git`,
        branch: own.base,
        commit,
        token,
        signal,
      }),
    )
    return { baseCommit: base.commit, files: await readChangedFiles({ base, workTree, maxFiles: MAX_FILES }) }
  } catch (error) {
    signal.throwIfAborted()
    const { runId, jobId } = claim
    deps.log.info({ runId, jobId, err: error }, 'changes of the whole branch unavailable')
    return null
  }
}

/**
 * Returns the commit that the pull request is compared with; null when the host does not provide
 * it. After a user rebases the branch or merges the base into it, this is no longer the commit that
 * the branch started from. A comparison with that older commit would include all later changes of
 * the base.
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
