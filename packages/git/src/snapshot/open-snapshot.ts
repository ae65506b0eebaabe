import type { GitHttpOptions } from '../http/git-http.ts'
import { GitHttpError } from '../http/git-http-error.ts'
import { toTreeOid } from '../mirror/build-mirror.ts'
import type { MirrorSettings } from '../mirror/mirror-options.ts'
import type { MirrorVersion } from '../mirror/mirror-version.ts'
import type { LeasedMirrorVersion, MirrorVersionPool } from '../mirror/mirror-version-pool.ts'
import type { BoundedCache } from '../objects/bounded-cache.ts'
import type { ObjectType } from '../objects/pack-source.ts'
import { type ParsedTree, parseTree } from '../objects/parse-tree.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { yieldForEntries } from '../objects/yield-to-event-loop.ts'
import type { Snapshot, SubtreeListing } from './snapshot.ts'

export interface SnapshotCaches {
  readonly blobs: BoundedCache<Buffer>
  readonly trees: BoundedCache<ParsedTree>
  readonly listings: BoundedCache<SubtreeListing>
}

export interface SnapshotDeps {
  readonly settings: MirrorSettings
  readonly pool: MirrorVersionPool
  readonly caches: SnapshotCaches
  /**
   * Returns a version with the snapshot's commit. Rebuilds it if the old version no longer exists.
   */
  ensure(): Promise<LeasedMirrorVersion>
  /** Downloads blobs into a version. */
  download(version: MirrorVersion, http: GitHttpOptions, oids: readonly string[]): Promise<void>
}

interface SnapshotFacts {
  readonly key: string
  readonly branch: string
  readonly commit: string
  readonly http: GitHttpOptions
}

const WANTS_PER_REQUEST = 256
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export async function openSnapshot(
  deps: SnapshotDeps,
  first: LeasedMirrorVersion,
  facts: SnapshotFacts,
): Promise<Snapshot> {
  const { caches, settings } = deps
  let leased = first
  let repairing: Promise<void> | null = null
  const waiting = new Map<string, Promise<void>>()
  const batch = new Set<string>()
  let gathering: Promise<void> | null = null

  /** Replaces a damaged or missing copy with a new copy of the same commit. */
  const repair = (broken: LeasedMirrorVersion): Promise<void> => {
    if (leased !== broken) return Promise.resolve()
    repairing ??= (async () => {
      settings.log.warn({ mirror: facts.key }, 'mirror is damaged or missing, copying the repository again')
      await deps.pool.discard(broken.version)
      await broken.release()
      leased = await deps.ensure()
    })().finally(() => {
      repairing = null
    })
    return repairing
  }

  const readObject = async (oid: string, type: ObjectType, maxBytes?: number): Promise<Buffer> => {
    const used = leased
    const found = await used.version.readObject(oid, maxBytes).catch(async (error) => {
      if (error instanceof RepositoryError && error.code !== 'object_not_found') throw error
      await repair(used)
      return leased.version.readObject(oid, maxBytes)
    })
    if (found.type === type) return found.bytes
    throw new RepositoryError('corrupt_pack', `The repository contains a ${found.type} instead of a ${type}.`)
  }

  const download = async (oids: readonly string[]): Promise<void> => {
    const { version } = leased
    for (let i = 0; i < oids.length; i += WANTS_PER_REQUEST) {
      await deps.download(version, facts.http, oids.slice(i, i + WANTS_PER_REQUEST))
    }
  }

  const hasBlob = (oid: string) => leased.version.has(oid)

  /** Combines all blobs requested during one event loop turn into one download. */
  const gather = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    const oids = [...batch]
    batch.clear()
    gathering = null
    await download(oids).finally(() => {
      for (const oid of oids) waiting.delete(oid)
    })
  }

  const fetchBlobs = async (oids: readonly string[]): Promise<void> => {
    const missing = [...new Set(oids)].filter((oid) => !hasBlob(oid))
    for (const oid of missing.filter((oid) => !waiting.has(oid))) {
      gathering ??= gather()
      batch.add(oid)
      waiting.set(oid, gathering)
    }
    await Promise.all(missing.map((oid) => waiting.get(oid)))
  }

  const readTree = async (oid: string): Promise<ParsedTree> => {
    const key = `${facts.key}:${oid}`
    const known = caches.trees.get(key)
    if (known) return known
    const bytes =
      oid === EMPTY_TREE ? Buffer.alloc(0) : await readObject(oid, 'tree', settings.limits.tree.maxTreeBytes)
    await yieldForEntries(bytes.length / 32)
    const tree = parseTree(bytes)
    caches.trees.set(key, tree)
    return tree
  }

  const readBlob = async (oid: string, maxBytes = settings.limits.pack.maxObjectBytes): Promise<Buffer> => {
    const key = `${facts.key}:${oid}`
    const known = caches.blobs.get(key)
    if (known) {
      if (known.length > maxBytes) throw new RepositoryError('too_large', `A file is larger than ${maxBytes} bytes.`)
      return known
    }
    if (!hasBlob(oid) && leased.version.blobLimit !== null) await fetchBlobs([oid])
    const blob = await readObject(oid, 'blob', maxBytes)
    caches.blobs.set(key, blob)
    return blob
  }

  try {
    const tree = toTreeOid({ type: 'commit', bytes: await readObject(facts.commit, 'commit') })
    await readTree(tree)
    return {
      url: facts.http.url,
      commit: facts.commit,
      branch: facts.branch,
      tree,
      blobLimit: leased.version.blobLimit,
      listings: caches.listings,
      cacheKey: facts.key,
      limits: settings.limits,
      readTree,
      readBlob,
      hasBlob,
      fetchBlobs,
      [Symbol.asyncDispose]: () => leased.release(),
    }
  } catch (error) {
    await leased.release()
    if (error instanceof GitHttpError || error instanceof RepositoryError) throw error
    throw new RepositoryError('corrupt_pack', 'The repository copy cannot be read.')
  }
}
