import { rm } from 'node:fs/promises'
import { checkTrees, type TreeLimits } from './check-trees.ts'
import { type FetchedPack, fetchObjects } from './fetch-objects.ts'
import { createGeneration, type Generation, openGeneration } from './generation.ts'
import type { GitHttpOptions } from './git-http.ts'
import { parseTree } from './parse-tree.ts'
import { RepositoryError } from './repository-error.ts'
import type { PackLimits } from './scan-pack.ts'

export interface MirrorLimits {
  readonly pack: PackLimits
  readonly tree: TreeLimits
}

export interface BuildInput {
  readonly http: GitHttpOptions
  /** The directory to fill; it must not exist yet. */
  readonly dir: string
  readonly tip: { readonly name: string; readonly commit: string }
  readonly blobLimit: number | null
  readonly limits: MirrorLimits
}

/**
 * Download one commit into a new generation. What is left behind when it throws is removed.
 * @throws {GitHttpError} @throws {RepositoryError}
 */
export async function buildMirror(input: BuildInput): Promise<void> {
  const { dir, tip, blobLimit, limits } = input
  const { http } = input
  const request = { http, wants: [tip.commit], haves: [], depth: 1, blobLimit, below: null, cache: {} } as const
  try {
    const fetched = await fetchObjects({ ...request, limits: limits.pack })
    if (!fetched) throw new RepositoryError('corrupt_pack', 'The Git host sent nothing.')
    await checkFetched(fetched, tip.commit, null, blobLimit, limits.tree)
    await createGeneration(dir, blobLimit)
    await (await openGeneration(dir)).publish(fetched, tip)
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Bring a commit into a generation that has older ones: a thin pack of what changed, checked, then published.
 * @throws {GitHttpError} @throws {RepositoryError}
 */
export async function updateMirror(
  generation: Generation,
  input: Omit<BuildInput, 'dir' | 'blobLimit'>,
): Promise<void> {
  const { tip, limits } = input
  const { blobLimit, layer, cache } = generation
  const haves = (await generation.listTips()).slice(0, 8)
  const request = { http: input.http, wants: [tip.commit], haves, depth: 1, blobLimit, below: layer, cache } as const
  const fetched = await fetchObjects({ ...request, limits: limits.pack })
  if (!fetched) throw new RepositoryError('corrupt_pack', 'The Git host sent nothing.')
  await checkFetched(fetched, tip.commit, generation, blobLimit, limits.tree)
  await generation.publish(fetched, tip)
}

/** The tree of a commit object. @throws {RepositoryError} `corrupt_pack` */
export function toTreeOid(commit: Buffer): string {
  const oid = /^tree ([0-9a-f]{40})\n/.exec(commit.toString('latin1', 0, 46))?.[1]
  if (oid === undefined) throw new RepositoryError('corrupt_pack', 'The Git host sent something else than a commit.')
  return oid
}

async function checkFetched(
  fetched: FetchedPack,
  commit: string,
  below: Generation | null,
  blobLimit: number | null,
  limits: TreeLimits,
): Promise<void> {
  if (!fetched.index.has(commit)) throw new RepositoryError('corrupt_pack', 'The Git host sent another commit.')
  const has = (oid: string) => fetched.index.has(oid) || oid === emptyTree || (below?.has(oid) ?? false)
  await checkTrees(
    {
      readTree: async (oid) => {
        const bytes = await fetched.readObject(oid)
        if (bytes.length > limits.maxTreeBytes) {
          throw new RepositoryError('too_large', `A directory's listing is larger than ${limits.maxTreeBytes} bytes.`)
        }
        return parseTree(bytes)
      },
      isKnown: (oid) => !fetched.index.has(oid) && (below?.has(oid) ?? false),
      hasTree: has,
      // Only a filter, ours and granted by the host, makes a missing blob an honest one.
      hasBlob: (oid) => blobLimit !== null || has(oid),
      limits,
    },
    toTreeOid(await fetched.readObject(commit)),
  )
}

/** Git knows the empty tree without storing it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
