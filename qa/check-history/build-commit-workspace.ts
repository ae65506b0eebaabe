import { type Workspace, type WorkspaceChange, type WorkspaceEntry, WorkspaceError } from '@corrigenda/git/workspace'
import type { GitEntry, GitObjects } from './open-objects.ts'

/**
 * Builds a read-only workspace that presents a commit as a change to its parent, as if the agent
 * had made it.
 */
export function buildCommitWorkspace(
  objects: GitObjects,
  parent: readonly GitEntry[],
  commit: readonly GitEntry[],
): Workspace {
  const before = new Map(parent.map((entry) => [entry.path, entry]))
  const after = new Map(commit.map((entry) => [entry.path, entry]))
  const readOf = async (entry: GitEntry | undefined) =>
    entry === undefined || entry.mode === '160000' ? null : await objects.readBlob(entry.oid)
  const refuse = async () => {
    throw new WorkspaceError('read_only', 'A past commit is read-only.')
  }
  return {
    list: async () => toEntries(commit),
    listBase: async () => toEntries(parent),
    find: async (path) =>
      toEntries([...(after.has(path) ? [after.get(path)] : [])].filter((entry) => entry !== undefined))[0] ?? null,
    async read(path) {
      const bytes = await readOf(after.get(path))
      if (bytes === null) throw new WorkspaceError('not_found', 'File not found.')
      return bytes
    },
    readBase: async (path) => await readOf(before.get(path)),
    async changes() {
      const paths = [...new Set([...before.keys(), ...after.keys()])]
        .filter((path) => before.get(path)?.oid !== after.get(path)?.oid)
        .sort()
      const changes: WorkspaceChange[] = []
      for (const path of paths) {
        const [old, now] = [await readOf(before.get(path)), await readOf(after.get(path))]
        if (old === null && now === null) continue
        changes.push({
          path,
          kind: old === null ? 'added' : now === null ? 'deleted' : 'modified',
          before: old,
          after: now,
        })
      }
      return changes
    },
    write: refuse,
    remove: refuse,
    move: refuse,
  }
}

function toEntries(entries: readonly GitEntry[]): (WorkspaceEntry & { readonly oid: string })[] {
  return entries.map(({ path, mode, oid }) => ({
    path,
    oid,
    kind: mode === '120000' ? 'symlink' : mode === '160000' ? 'submodule' : 'file',
    executable: mode === '100755',
  }))
}
