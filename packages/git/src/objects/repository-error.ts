export type RepositoryErrorCode =
  | 'branch_not_found'
  | 'empty_repository'
  | 'commit_not_found'
  | 'object_not_found'
  /** More bytes, files, depth or memory than the caps allow. */
  | 'too_large'
  /** Entries that no honest Git client writes. */
  | 'hostile_tree'
  /** Modes or bytes we do not understand. */
  | 'unreadable_tree'
  /** A pack that is not what it claims to be. */
  | 'corrupt_pack'
  | 'build_failed'
  | 'closed'

/** A repository we cannot work with. The message is safe to show. */
export class RepositoryError extends Error {
  constructor(
    readonly code: RepositoryErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'RepositoryError'
  }
}
