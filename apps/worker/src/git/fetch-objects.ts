import git from 'isomorphic-git'
import { buildGitHttp, type GitHttpOptions } from './git-http.ts'
import { buildObjectFs, type FileLayer, virtualGitdir } from './object-fs.ts'
import { type PackIndex, toPackIndex } from './pack-index.ts'
import { RepositoryError } from './repository-error.ts'
import { type PackFacts, type PackLimits, scanPack } from './scan-pack.ts'

export interface FetchInput {
  readonly http: GitHttpOptions
  /** Commits, or blobs when `depth` is null. */
  readonly wants: readonly string[]
  /** Commits of the layer below; all of them shallow. */
  readonly haves: readonly string[]
  readonly depth: 1 | null
  readonly blobLimit: number | null
  readonly below: FileLayer | null
  readonly cache: object
  readonly limits: PackLimits
}

/** A self-contained pack in memory, checked, with its index. */
export interface FetchedPack {
  /** Hexadecimal checksum: the pack's name. */
  readonly name: string
  readonly pack: Uint8Array
  readonly idx: Uint8Array
  readonly index: PackIndex
  /** Reads an object of this pack or of the layer below. */
  readObject(oid: string): Promise<Buffer>
}

const config = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n'

/**
 * Fetch with isomorphic-git into memory: nothing is kept until the pack has been read to its end, every object it promises was
 * resolved, and a thin pack was rewritten so that no delta points out of it (two thin packs can point at each other, and reading
 * such a pair never returns). Null when the host had nothing to send.
 * @throws {GitHttpError} @throws {RepositoryError} `corrupt_pack`, `too_large`
 */
export async function fetchObjects(input: FetchInput): Promise<FetchedPack | null> {
  const { below, cache, limits } = input
  const files = new Map<string, Uint8Array>([['config', Buffer.from(config)]])
  for (const [i, oid] of input.haves.entries()) files.set(`refs/heads/have${i}`, Buffer.from(`${oid}\n`))
  if (input.haves.length > 0) files.set('shallow', Buffer.from(`${input.haves.join('\n')}\n`))

  let facts: PackFacts | null = null
  const fs = buildObjectFs(files, below, (path, bytes) => {
    if (path.endsWith('.pack')) facts = scanPack(toBuffer(bytes), limits)
  })
  const thinPack = input.haves.length > 0
  await git.fetch({
    fs,
    cache,
    gitdir: virtualGitdir,
    http: buildGitHttp(input.http, { wants: input.wants, thinPack, blobLimit: input.blobLimit }),
    url: input.http.url,
    remote: 'origin',
    ref: 'want0',
    singleBranch: false,
    tags: false,
    ...(input.depth === null ? {} : { depth: input.depth }),
  })

  const path = [...files.keys()].find((file) => file.endsWith('.pack'))
  const { count, namedDeltas } = (facts ?? { count: 0, namedDeltas: 0 }) as PackFacts
  if (path === undefined || count === 0) return null
  const first = takePack(files, path, count)
  if (namedDeltas === 0) return toFetchedPack(first, fs, cache)

  const { packfile, filename } = await git.packObjects({ fs, cache, gitdir: virtualGitdir, oids: first.index.oids() })
  if (!packfile) throw new RepositoryError('corrupt_pack', 'The pack of the Git host could not be completed.')
  const ownPath = `objects/pack/${filename}`
  files.set(ownPath, packfile)
  await git.indexPack({ fs, cache: {}, dir: virtualGitdir, gitdir: virtualGitdir, filepath: ownPath })
  const own = takePack(files, ownPath, count)
  files.delete(path)
  files.delete(toIdxPath(path))
  return toFetchedPack(own, fs, cache)
}

interface TakenPack {
  readonly name: string
  readonly pack: Uint8Array
  readonly idx: Uint8Array
  readonly index: PackIndex
}

/** isomorphic-git leaves objects it cannot resolve out of the index without a word; the count tells. */
function takePack(files: Map<string, Uint8Array>, path: string, count: number): TakenPack {
  const pack = files.get(path)
  const idx = files.get(toIdxPath(path))
  const index = idx ? toPackIndex(idx) : null
  if (!pack || !idx || !index || index.count !== count) {
    throw new RepositoryError('corrupt_pack', 'The pack of the Git host holds objects that cannot be resolved.')
  }
  return { name: toBuffer(pack).toString('hex', pack.byteLength - 20), pack, idx, index }
}

function toFetchedPack(taken: TakenPack, fs: ReturnType<typeof buildObjectFs>, cache: object): FetchedPack {
  return {
    ...taken,
    async readObject(oid) {
      const { object } = await git.readObject({ fs, cache, gitdir: virtualGitdir, oid, format: 'content' })
      return toBuffer(object as Uint8Array)
    },
  }
}

function toIdxPath(path: string): string {
  return path.replace(/\.pack$/, '.idx')
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
