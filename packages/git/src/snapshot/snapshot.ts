import type { MirrorSettings } from '../mirror/mirror-options.ts'
import type { BoundedCache } from '../objects/bounded-cache.ts'
import type { ParsedTree, TreeMode } from '../objects/parse-tree.ts'
import type { WorkspaceEntry } from '../workspace/workspace.ts'

export interface BaseEntry extends WorkspaceEntry {
  readonly oid: string
  readonly mode: TreeMode
}

/** All addressable entries below one directory. */
export interface SubtreeListing {
  /** Sorted by path in code-unit order. */
  readonly entries: readonly BaseEntry[]
  /**
   * Directories that contain an entry that tools cannot address. They remain when all other entries
   * are removed.
   */
  readonly pinned: readonly string[]
  /** Number of paths below the directory, including directories and unaddressable entries. */
  readonly count: number
}

/**
 * A repository at one commit. After the snapshot is disposed, its files may be removed from the
 * cache.
 */
export interface Snapshot extends AsyncDisposable {
  readonly url: string
  readonly commit: string
  /** Short name of the snapshot's branch. */
  readonly branch: string
  /** Root tree of the commit. */
  readonly tree: string
  /** Minimum size in bytes of blobs that may be missing, or null if all blobs are present. */
  readonly blobLimit: number | null
  readonly listings: BoundedCache<SubtreeListing>
  /** Prefix for keys in the caches that all snapshots share. */
  readonly cacheKey: string
  readonly limits: MirrorSettings['limits']
  readTree(oid: string): Promise<ParsedTree>
  /**
   * Returns a blob's bytes. Downloads the blob if the initial download omitted it.
   * @param maxBytes maximum size; a larger blob throws `too_large` before it is unpacked. Default:
   *   the largest object that a repository may contain
   * @throws {RepositoryError}
   * @throws {GitHttpError}
   */
  readBlob(oid: string, maxBytes?: number): Promise<Buffer>
  /** Returns true if a blob has already been downloaded. */
  hasBlob(oid: string): boolean
  /** Downloads any of the given blobs that are missing, in as few requests as possible. */
  fetchBlobs(oids: readonly string[]): Promise<void>
}
