import { type Workspace, type WorkspaceChange, type WorkspaceEntry, WorkspaceError } from '@corrigenda/git/workspace'
import type { GitEntry, GitObjects } from '../../check-history/open-objects.ts'

export interface TreeWorkspace extends Workspace {
  /** Reverts all edits. */
  reset(): void
}

/**
 * Builds a workspace of one commit whose edits are kept in memory. It is reused for many changes,
 * so that the base commit is read only once.
 */
export function buildTreeWorkspace(objects: GitObjects, base: readonly GitEntry[]): TreeWorkspace {
  const before = new Map(base.map((entry) => [entry.path, entry]))
  const baseEntries = toEntries(base)
  const edits = new Map<string, Uint8Array | null>()
  let listing: readonly WorkspaceEntry[] | null = baseEntries
  const readBase = async (path: string) => {
    const entry = before.get(path)
    return entry === undefined || entry.mode === '160000' ? null : await objects.readBlob(entry.oid)
  }
  const read = async (path: string) => {
    const edit = edits.get(path)
    const bytes = edit === undefined ? await readBase(path) : edit
    if (bytes === null) throw new WorkspaceError('not_found', `${path} does not exist`)
    return bytes
  }
  const set = (path: string, bytes: Uint8Array | null) => {
    edits.set(path, bytes)
    listing = null
  }
  const list = async () => {
    listing ??= [
      ...baseEntries.filter(({ path }) => !edits.has(path)),
      ...[...edits].flatMap(([path, bytes]) =>
        bytes === null ? [] : [{ path, kind: 'file' as const, executable: false }],
      ),
    ].sort(byPath)
    return listing
  }
  return {
    list,
    listBase: async () => baseEntries,
    async find(path) {
      const edit = edits.get(path)
      if (edit !== undefined) return edit === null ? null : { path, kind: 'file', executable: false }
      const entry = before.get(path)
      return entry === undefined ? null : (toEntries([entry])[0] ?? null)
    },
    read,
    readBase,
    async changes() {
      const changes: WorkspaceChange[] = []
      for (const [path, after] of [...edits].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const old = await readBase(path)
        if (old === null && after === null) continue
        if (old !== null && after !== null && Buffer.compare(old, after) === 0) continue
        changes.push({
          path,
          kind: old === null ? 'added' : after === null ? 'deleted' : 'modified',
          before: old,
          after,
        })
      }
      return changes
    },
    write: async (path, bytes) => set(path, bytes),
    remove: async (path) => set(path, null),
    async move(path, newPath) {
      const bytes = await read(path)
      set(path, null)
      set(newPath, bytes)
    },
    reset() {
      edits.clear()
      listing = baseEntries
    },
  }
}

function toEntries(entries: readonly GitEntry[]): (WorkspaceEntry & { readonly oid: string })[] {
  return entries
    .map(({ path, mode, oid }) => ({
      path,
      oid,
      kind: mode === '120000' ? ('symlink' as const) : mode === '160000' ? ('submodule' as const) : ('file' as const),
      executable: mode === '100755',
    }))
    .sort(byPath)
}

function byPath(a: WorkspaceEntry, b: WorkspaceEntry): number {
  return a.path < b.path ? -1 : 1
}
