import type { FileChange } from '@corrigenda/contracts'
import type { Claim, FrozenPublish } from '@corrigenda/core/runs'
import { redactValue } from '@corrigenda/git/text'
import { withToken } from '../git-host/with-token.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { toChanges } from '../publish/to-changes.ts'
import type { OwnCommit } from './find-own-commit.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Returns the changes of a commit of an earlier execution, which replace those of this execution in
 * the job record.
 * @throws RepositoryError, Git host errors, the signal's reason
 */
export async function listAdoptedChanges(
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
