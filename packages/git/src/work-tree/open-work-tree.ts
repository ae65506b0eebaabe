import { hashObject } from '../objects/hash-object.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { listTree } from '../snapshot/list-tree.ts'
import type { BaseEntry, Snapshot, SubtreeListing } from '../snapshot/snapshot.ts'
import { checkPath, quote } from '../workspace/path-rules.ts'
import { DEFAULT_WORK_TREE_LIMITS, type WorkTreeLimits } from '../workspace/work-tree-limits.ts'
import { type Workspace, type WorkspaceChange, type WorkspaceEntry, WorkspaceError } from '../workspace/workspace.ts'
import { findLfsPointers, isPointerBlob } from './lfs.ts'
import type { DirtyEntry, OverlayEntry, OverlayMode } from './overlay.ts'
import { findEntry, hasBelow } from './sorted-paths.ts'

interface WorkTreeInput {
  readonly snapshot: Snapshot
  /** Edits of an earlier work tree of the same commit. */
  readonly overlay?: readonly OverlayEntry[] | undefined
  readonly limits?: Partial<WorkTreeLimits> | undefined
}

/** A snapshot and the in-memory edits on top of it. */
export interface WorkTree extends Workspace {
  readonly snapshot: Snapshot
  /**
   * Returns every path that differs from the base commit, sorted. The result and the base commit
   * together are the complete state.
   */
  overlay(): readonly OverlayEntry[]
  /** Returns the changes since the last call, sorted by path. */
  takeDirty(): readonly DirtyEntry[]
}

/**
 * Opens a work tree. Lists the repository once and keeps edits in memory.
 * @throws {RepositoryError} if the repository cannot be listed
 * @throws {WorkspaceError} if the overlay cannot be applied to the repository
 */
export async function openWorkTree(input: WorkTreeInput): Promise<WorkTree> {
  const { snapshot } = input
  const limits = { ...DEFAULT_WORK_TREE_LIMITS, ...input.limits }
  const base: SubtreeListing = await listTree(snapshot)
  const pointers = await findLfsPointers(snapshot, base.entries)
  const baseEntries: readonly WorkspaceEntry[] =
    pointers.size === 0
      ? base.entries
      : base.entries.map((entry) => (pointers.has(entry.path) ? toLfsEntry(entry) : entry))
  const overlay = new Map<string, OverlayEntry>()
  const dirty = new Set<string>()
  let listed: readonly WorkspaceEntry[] | null = baseEntries

  const findBase = (path: string) => findEntry(base.entries, path)

  const touch = (path: string) => {
    dirty.add(path)
    listed = null
  }

  const readLimited = async (entry: BaseEntry): Promise<Uint8Array> => {
    const { blobLimit } = snapshot
    // A blob that was omitted because of its size is rejected without a download.
    const known = blobLimit !== null && blobLimit > limits.maxFileBytes && !snapshot.hasBlob(entry.oid)
    const tooLarge = () =>
      new WorkspaceError('too_large', `${quote(entry.path)} is larger than ${limits.maxFileBytes} bytes.`)
    if (known) throw tooLarge()
    try {
      return await snapshot.readBlob(entry.oid, limits.maxFileBytes)
    } catch (error) {
      throw error instanceof RepositoryError && error.code === 'too_large' ? tooLarge() : error
    }
  }

  /**
   * Returns the base entry as a work tree lists it. A file that contains an LFS pointer has the kind
   * `lfs`, even if no `.gitattributes` file declares it.
   */
  const inspect = async (entry: BaseEntry): Promise<WorkspaceEntry> => {
    if (entry.kind !== 'file' || !snapshot.hasBlob(entry.oid)) return entry
    return pointers.has(entry.path) || (await isPointerBlob(snapshot, entry.oid)) ? toLfsEntry(entry) : entry
  }

  const list = async (): Promise<readonly WorkspaceEntry[]> => {
    if (listed) return listed
    const kept = baseEntries.filter((entry) => !overlay.has(entry.path))
    const edited = [...overlay.values()].filter((entry) => entry.content !== null).map(toFileEntry)
    listed = [...kept, ...edited].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    return listed
  }

  const find = async (path: string): Promise<WorkspaceEntry | null> => {
    const edited = overlay.get(path)
    if (edited) return edited.content === null ? null : toFileEntry(edited)
    const entry = findBase(path)
    return entry ? inspect(entry) : null
  }

  const isDirectory = (path: string): boolean => {
    const prefix = `${path}/`
    for (const edited of overlay.values()) if (edited.content !== null && edited.path.startsWith(prefix)) return true
    if (base.pinned.some((dir) => dir === path || dir.startsWith(prefix))) return true
    return hasBelow(base.entries, prefix, (entry) => overlay.get(entry.path)?.content !== null)
  }

  const toMissing = (path: string): WorkspaceError => {
    if (isDirectory(path)) return new WorkspaceError('is_directory', `${quote(path)} is a directory.`)
    checkPath(path)
    return new WorkspaceError('not_found', `The file ${quote(path)} does not exist.`)
  }

  const getEditable = async (path: string): Promise<WorkspaceEntry> => {
    const entry = await find(path)
    if (!entry) throw toMissing(path)
    if (entry.kind !== 'file')
      throw new WorkspaceError('read_only', `${quote(path)} is a ${NAMES[entry.kind]} and cannot be changed.`)
    return entry
  }

  /** Checks that a path is unused and that none of its parents is a file. */
  const checkFree = async (path: string): Promise<void> => {
    checkPath(path)
    if (isDirectory(path)) throw new WorkspaceError('is_directory', `${quote(path)} is a directory.`)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const parent = path.slice(0, at)
      if (await find(parent))
        throw new WorkspaceError('exists', `${quote(parent)} is a file, so it cannot contain ${quote(path)}.`)
    }
  }

  const put = (entry: OverlayEntry): void => {
    const { path, content } = entry
    const before = findBase(path)
    const reverts = content === null ? !before : before !== null && isSame(before, entry)
    if (!reverts) {
      const others = [...overlay.values()].filter((other) => other.path !== path)
      const bytes = others.reduce((sum, other) => sum + (other.content?.length ?? 0), content?.length ?? 0)
      if (others.length >= limits.maxChangedFiles) {
        throw new WorkspaceError('too_many_changes', `More than ${limits.maxChangedFiles} files would be changed.`)
      }
      if (bytes > limits.maxOverlayBytes) {
        throw new WorkspaceError('too_large', `The changes would exceed ${limits.maxOverlayBytes} bytes.`)
      }
      overlay.set(path, entry)
    } else overlay.delete(path)
    touch(path)
  }

  const readBase = async (path: string): Promise<Uint8Array | null> => {
    const entry = findBase(path)
    return !entry || entry.kind === 'submodule' ? null : readLimited(entry)
  }

  const tree: WorkTree = {
    snapshot,
    list,
    find,
    // A search reads every file in the repository, so the common case does as little as possible.
    async read(path) {
      const edited = overlay.get(path)
      if (edited?.content) return edited.content
      const entry = edited ? null : findBase(path)
      if (!entry) throw toMissing(path)
      if (entry.kind === 'submodule') throw new WorkspaceError('not_a_file', `${quote(path)} is a submodule.`)
      return readLimited(entry)
    },
    readBase,
    listBase: async () => baseEntries,
    async write(path, bytes) {
      if (bytes.length > limits.maxFileBytes) {
        throw new WorkspaceError('too_large', `${quote(path)} would be larger than ${limits.maxFileBytes} bytes.`)
      }
      const existing = await find(path)
      if (existing) await getEditable(path)
      else await checkFree(path)
      const before = findBase(path)
      const mode = overlay.get(path)?.mode ?? (before ? toMode(before) : '100644')
      put({ path, mode, content: Uint8Array.from(bytes) })
    },
    async remove(path) {
      const { executable } = await getEditable(path)
      put({ path, mode: executable ? '100755' : '100644', content: null })
    },
    async move(path, newPath) {
      const { executable } = await getEditable(path)
      if (await find(newPath)) throw new WorkspaceError('exists', `The file ${quote(newPath)} already exists.`)
      const mode: OverlayMode = executable ? '100755' : '100644'
      const content = Uint8Array.from(await tree.read(path))
      const undo = overlay.get(path)
      // Removes the old path first, because the new path may be below the old path or may be one of
      // its parent directories.
      put({ path, mode, content: null })
      try {
        await checkFree(newPath)
        put({ path: newPath, mode, content })
      } catch (error) {
        if (undo) overlay.set(path, undo)
        else overlay.delete(path)
        touch(path)
        throw error
      }
    },
    async changes() {
      const changes: WorkspaceChange[] = []
      for (const { path, content } of tree.overlay()) {
        const entry = findBase(path)
        const before = entry ? await snapshot.readBlob(entry.oid) : null
        const kind = before === null ? 'added' : content === null ? 'deleted' : 'modified'
        changes.push({ path, kind, before, after: content })
      }
      return changes
    },
    overlay: () => [...overlay.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    takeDirty() {
      const taken = [...dirty].sort().map((path) => overlay.get(path) ?? ({ path, reverted: true } as const))
      dirty.clear()
      return taken
    },
  }

  for (const entry of input.overlay ?? []) {
    if (!findBase(entry.path)) checkPath(entry.path)
    put(entry)
  }
  dirty.clear()
  return tree
}

const NAMES = { symlink: 'symbolic link', submodule: 'submodule', lfs: 'pointer to a Git LFS file' } as const

function toLfsEntry(entry: BaseEntry): WorkspaceEntry {
  return { path: entry.path, kind: 'lfs', executable: entry.executable }
}

function isSame(before: BaseEntry, entry: OverlayEntry): boolean {
  return entry.content !== null && toMode(before) === entry.mode && hashObject('blob', entry.content) === before.oid
}

function toMode(entry: WorkspaceEntry): OverlayMode {
  return entry.executable ? '100755' : '100644'
}

function toFileEntry(entry: OverlayEntry): WorkspaceEntry {
  return { path: entry.path, kind: 'file', executable: entry.mode === '100755' }
}
