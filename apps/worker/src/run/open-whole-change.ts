import type { WholeChange } from '@corrigenda/agent/loop'
import type { AgentSource } from '@corrigenda/agent/sources'
import type { Claim } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { MAX_FILES, openPullRequestBase } from './list-branch-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

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
