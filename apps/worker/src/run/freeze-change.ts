import { type Claim, type FrozenPublish, freezeRun } from '@corrigenda/core/runs'
import { type BuiltCommit, buildCommit, signWithSsh } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import { toChanges } from '../publish/to-changes.ts'
import type { ChangeDescription } from './describe-change.ts'
import { listBranchChanges } from './list-branch-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { ChangeResult } from './to-run-ending.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Builds the commit for a change and freezes it together with its pull request. From then on, the
 * run only publishes.
 * @returns the frozen change with its commit; null if the edits cancel each other out and leave nothing to commit
 * @throws LostLeaseError, the signal's reason
 */
export async function freezeChange(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  { result, description }: { result: ChangeResult; description: ChangeDescription },
  signal: AbortSignal,
): Promise<{ publish: FrozenPublish; built: BuiltCommit } | null> {
  const { snapshot, workTree, branch, baseBranch, expected } = prepared
  // The signature is frozen, so that the commit stays the same if the key is removed.
  const key = await deps.findSigningKey()
  const built = await buildCommit({
    snapshot,
    changes: workTree.overlay(),
    message: description.commitMessage,
    author: description.author,
    committer: description.author,
    timestamp: description.timestamp,
    signature: key && ((commit) => signWithSsh(commit, key)),
  })
  if (built === null) return null
  const publish: FrozenPublish = {
    ...description,
    ...{ branch, baseBranch, expected },
    baseCommit: snapshot.commit,
    commit: built.commit,
    signature: built.signature,
    evidence: [...result.evidence],
    sourcesShown: [...result.sourcesShown],
  }
  const whole = await listBranchChanges(deps, claim, prepared, signal)
  const changes = whole && redactValue({ ...whole, files: toChanges(whole.files) }, deps.secrets)
  await deps.onPoint('run.freezing', claim)
  await freezeRun(deps, claim, {
    publish,
    // A follow-up has a section instead of a title, because its pull request keeps the existing
    // title.
    title: publish.section === null ? publish.title : null,
    summary: result.body,
    checks: result.checks,
    changes,
  })
  await deps.onPoint('run.frozen', claim)
  return { publish, built }
}
