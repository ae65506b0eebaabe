/** Entry type in the repository. Symlinks, submodules and LFS pointers are read-only. */
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
  /** Bytes at the base commit, or null if the file was added. */
  readonly before: Uint8Array | null
  /** Current bytes, or null if the file was deleted. */
  readonly after: Uint8Array | null
}

type WorkspaceErrorCode =
  | 'not_found'
  | 'is_directory'
  | 'not_a_file'
  | 'read_only'
  | 'exists'
  | 'invalid_path'
  | 'too_large'
  | 'too_many_changes'

/**
 * Thrown when an operation is rejected. The message names the path and is safe to show to the
 * model.
 */
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
 * A repository, which consists of one pinned commit and the edits on top of
 * it. Paths are lookup keys, so paths outside the repository cannot be addressed. Every method
 * throws {@link WorkspaceError} for a rejected operation.
 */
export interface Workspace {
  /**
   * Returns every entry in the current state (base plus edits), sorted by path in code-unit order.
   */
  list(): Promise<readonly WorkspaceEntry[]>
  /** Returns the entry at a path, or null if it does not exist. A directory is not an entry. */
  find(path: string): Promise<WorkspaceEntry | null>
  /**
   * Returns the current bytes. For a symlink, these are the bytes of its target path. Throws
   * `not_a_file` for a submodule.
   */
  read(path: string): Promise<Uint8Array>
  /** Returns the bytes at the base commit, or null if the path did not exist there. */
  readBase(path: string): Promise<Uint8Array | null>
  /** Returns every entry at the base commit. */
  listBase(): Promise<readonly WorkspaceEntry[]>
  /** Creates or replaces a file. An existing file keeps its mode. */
  write(path: string, bytes: Uint8Array): Promise<void>
  remove(path: string): Promise<void>
  /** Moves a file to an unused path. Its mode and bytes do not change. */
  move(path: string, newPath: string): Promise<void>
  /**
   * Returns the paths whose bytes or existence differ from the base commit, sorted. A write that
   * restores the base is not a change.
   */
  changes(): Promise<readonly WorkspaceChange[]>
}
