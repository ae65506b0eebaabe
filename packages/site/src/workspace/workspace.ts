/** Entry type in the repository. */
type EntryKind = 'file' | 'symlink' | 'submodule' | 'lfs'

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

/**
 * The files of a repository: a base commit, and the edits on top of it. A method that refuses a path,
 * for example because the file is missing or too large, throws an error whose `name` is
 * `WorkspaceError`. Such files are reported as not read. Other errors end the operation.
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

/** Returns true for an error of a file that the workspace refuses to read. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkspaceError'
}
