import type { MirrorSettings } from '../mirror/mirror-options.ts'
import type { BoundedCache } from '../objects/bounded-cache.ts'
import type { ParsedTree } from '../objects/parse-tree.ts'
import type { WorkspaceEntry } from '../workspace/workspace.ts'

export interface BaseEntry extends WorkspaceEntry {
  readonly oid: string
  /** As in the tree. */
  readonly mode: string
}

/** Everything addressable below one directory. */
export interface SubtreeListing {
  /** Sorted by path in code-unit order. */
  readonly entries: readonly BaseEntry[]
  /** Directories that hold something no tool may address, and so stay whatever is removed from them. */
  readonly pinned: readonly string[]
  /** Paths below, directories and unaddressable ones included. */
  readonly count: number
}

/** A repository at one commit. Disposing it allows its files to be removed from the cache. */
export interface Snapshot extends AsyncDisposable {
  readonly url: string
  readonly commit: string
  /** Short name of the branch the snapshot was opened for. */
  readonly branch: string
  /** Root tree of the commit. */
  readonly tree: string
  /** Blobs of at least this many bytes may not be here; null when all are. */
  readonly blobLimit: number | null
  readonly listings: BoundedCache<SubtreeListing>
  /** Prefix for keys in caches that all snapshots share. */
  readonly cacheKey: string
  readonly limits: MirrorSettings['limits']
  readTree(oid: string): Promise<ParsedTree>
  /**
   * Bytes of a blob; downloaded now when the first download left it out.
   * @param maxBytes one more is `too_large`, found out before the blob is unpacked; default what a repository may hold at all
   * @throws {RepositoryError} @throws {GitHttpError}
   */
  readBlob(oid: string, maxBytes?: number): Promise<Buffer>
  /** Whether a blob is here already. */
  hasBlob(oid: string): boolean
  /** Download all of these that are not here, in few requests. */
  fetchBlobs(oids: readonly string[]): Promise<void>
  /** Absolute paths of the packs that hold the commit; an `.idx` stands beside each. */
  packPaths(): readonly string[]
}
