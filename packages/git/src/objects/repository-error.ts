export type RepositoryErrorCode =
  | 'branch_not_found'
  | 'empty_repository'
  | 'commit_not_found'
  | 'object_not_found'
  /** Exceeds the limits on bytes, files, depth or memory. */
  | 'too_large'
  /** Entries that no legitimate Git client writes. */
  | 'hostile_tree'
  /** Unknown modes or unreadable bytes. */
  | 'unreadable_tree'
  /** A pack that does not match its format, checksum or contents. */
  | 'corrupt_pack'
  | 'build_failed'
  | 'closed'

/** Thrown for a repository that cannot be used. The message is safe to display. */
export class RepositoryError extends Error {
  constructor(
    readonly code: RepositoryErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'RepositoryError'
  }
}
