import { rm } from 'node:fs/promises'
import type { GitHttpOptions } from '../http/git-http.ts'
import { checkTrees, type TreeLimits } from '../objects/check-trees.ts'
import { parseTree } from '../objects/parse-tree.ts'
import type { PackedObject } from '../objects/read-packed-object.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import type { PackLimits } from '../objects/scan-pack.ts'
import { type FetchedPack, fetchObjects } from './fetch-objects.ts'
import { createMirrorVersion, type MirrorVersion, openMirrorVersion } from './mirror-version.ts'

export interface MirrorLimits {
  readonly pack: PackLimits
  readonly tree: TreeLimits
}

export interface BuildInput {
  readonly http: GitHttpOptions
  /** The directory to fill. It must not exist yet. */
  readonly dir: string
  readonly tip: { readonly name: string; readonly commit: string }
  readonly blobLimit: number | null
  readonly limits: MirrorLimits
}

/**
 * Downloads one commit into a new mirror version. Removes the directory if an error occurs.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function buildMirror(input: BuildInput): Promise<void> {
  const { dir, http, tip, blobLimit, limits } = input
  const request = { http, wants: [tip.commit], haves: [], depth: 1, blobLimit, below: null } as const
  try {
    const fetched = await fetchObjects({ ...request, limits: limits.pack })
    if (!fetched) throw new RepositoryError('corrupt_pack', 'The Git host sent no objects.')
    await checkFetched(fetched, tip.commit, null, blobLimit, limits.tree)
    await createMirrorVersion(dir, blobLimit)
    const version = await openMirrorVersion(dir)
    await version.publish(fetched, tip)
    await version.close()
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Fetches a thin pack of the commit's objects that are missing from a mirror version. The returned
 * pack has been completed and checked and can be published to that version.
 * @throws {GitHttpError}
 * @throws {RepositoryError}
 */
export async function fetchUpdate(
  version: MirrorVersion,
  input: Omit<BuildInput, 'dir' | 'blobLimit'>,
): Promise<FetchedPack> {
  const { http, tip, limits } = input
  const { blobLimit } = version
  const haves = (await version.listTips()).slice(0, 8)
  const request = { http, wants: [tip.commit], haves, depth: 1, blobLimit, below: version } as const
  const fetched = await fetchObjects({ ...request, limits: limits.pack })
  if (!fetched) throw new RepositoryError('corrupt_pack', 'The Git host sent no objects.')
  await checkFetched(fetched, tip.commit, version, blobLimit, limits.tree)
  return fetched
}

/**
 * Fetches blobs that the initial download omitted.
 * @throws {GitHttpError}
 * @throws {RepositoryError} `object_not_found` if the host does not send all of them
 */
export async function fetchBlobs(
  http: GitHttpOptions,
  wants: readonly string[],
  limits: PackLimits,
): Promise<FetchedPack> {
  const fetched = await fetchObjects({ http, wants, haves: [], depth: null, blobLimit: null, below: null, limits })
  if (!fetched || !wants.every((oid) => fetched.index.has(oid))) {
    throw new RepositoryError('object_not_found', 'The Git host did not send a file that the commit contains.')
  }
  return fetched
}

/**
 * Returns the tree ID of a commit object.
 * @throws {RepositoryError} `corrupt_pack`
 */
export function toTreeOid({ type, bytes }: PackedObject): string {
  const oid = type === 'commit' && /^tree ([0-9a-f]{40})\n/.exec(bytes.toString('latin1', 0, 46))?.[1]
  if (!oid) throw new RepositoryError('corrupt_pack', 'The Git host sent an object that is not a commit.')
  return oid
}

async function checkFetched(
  fetched: FetchedPack,
  commit: string,
  below: MirrorVersion | null,
  blobLimit: number | null,
  limits: TreeLimits,
): Promise<void> {
  if (!fetched.index.has(commit))
    throw new RepositoryError('corrupt_pack', 'The Git host did not send the requested commit.')
  const has = (oid: string) => fetched.index.has(oid) || oid === EMPTY_TREE || (below?.has(oid) ?? false)
  await checkTrees(
    {
      readTree: async (oid) => {
        const { type, bytes } = await fetched.readObject(oid)
        if (type !== 'tree')
          throw new RepositoryError('corrupt_pack', 'The Git host sent an object that is not a tree.')
        if (bytes.length > limits.maxTreeBytes) {
          throw new RepositoryError('too_large', `A directory listing is larger than ${limits.maxTreeBytes} bytes.`)
        }
        return parseTree(bytes)
      },
      isKnown: (oid) => !fetched.index.has(oid) && (below?.has(oid) ?? false),
      hasTree: has,
      // A missing blob is valid only if a filter was requested.
      hasBlob: (oid) => blobLimit !== null || has(oid),
      limits,
    },
    toTreeOid(await fetched.readObject(commit)),
  )
}

/** ID of the empty tree, which Git does not store. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
