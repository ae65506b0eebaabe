/** What a path in the repository is. Symlinks, submodules and LFS pointers can be seen but not changed. */
export type EntryKind = 'file' | 'symlink' | 'submodule' | 'lfs'

export interface WorkspaceEntry {
  /** Repository-relative POSIX path. */
  readonly path: string
  readonly kind: EntryKind
  readonly executable: boolean
}

export interface WorkspaceChange {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** Bytes at the base commit; null when added. */
  readonly before: Uint8Array | null
  /** Bytes now; null when deleted. */
  readonly after: Uint8Array | null
}

export type WorkspaceErrorCode =
  | 'not_found'
  | 'is_directory'
  | 'not_a_file'
  | 'read_only'
  | 'exists'
  | 'invalid_path'
  | 'too_large'
  | 'too_many_changes'

/** A refused operation. The message names the path and is safe to show to the model. */
export class WorkspaceError extends Error {
  constructor(
    readonly code: WorkspaceErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'WorkspaceError'
  }
}

/**
 * The repository as the agent sees it: one pinned commit and the edits on top of it. Paths are keys, so nothing outside can be named.
 * Every method throws {@link WorkspaceError} for what it refuses.
 */
export interface Workspace {
  /** Every entry of the current state (base plus edits), sorted by path in code-unit order. */
  list(): Promise<readonly WorkspaceEntry[]>
  /** The entry at a path; null when there is none. A directory is not an entry. */
  find(path: string): Promise<WorkspaceEntry | null>
  /** Bytes now. For a symlink the bytes of its target text. Submodules: `not_a_file`. */
  read(path: string): Promise<Uint8Array>
  /** Bytes at the base commit, null when the path did not exist there. */
  readBase(path: string): Promise<Uint8Array | null>
  /** Every entry at the base commit. */
  listBase(): Promise<readonly WorkspaceEntry[]>
  /** Create or replace a file. An existing file keeps its mode. */
  write(path: string, bytes: Uint8Array): Promise<void>
  remove(path: string): Promise<void>
  /** Move a file to a free path; mode and bytes stay. */
  move(path: string, newPath: string): Promise<void>
  /** Paths whose bytes or existence differ from the base commit, sorted; a write that restores the base is no change. */
  changes(): Promise<readonly WorkspaceChange[]>
}
