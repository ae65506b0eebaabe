import { deflateSync } from 'node:zlib'
import git from 'isomorphic-git'
import { buildGitHttp, type GitHttpOptions } from '../http/git-http.ts'
import { buildPack, type PackEntry } from '../objects/build-pack.ts'
import { buildObjectFs, VIRTUAL_GITDIR } from '../objects/object-fs.ts'
import { type PackIndex, toPackIndex } from '../objects/pack-index.ts'
import type { PackSource } from '../objects/pack-source.ts'
import { type PackedObject, type ReadLimits, readPackedObject } from '../objects/read-packed-object.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { checkDeltaDepth, type PackFacts, type PackLimits, scanPack } from '../objects/scan-pack.ts'
import { buildYielder } from '../objects/yield-to-event-loop.ts'

/** Source of the delta bases omitted from a thin pack. */
interface BaseStore {
  has(oid: string): boolean
  readObject(oid: string, maxBytes?: number): Promise<PackedObject>
}

interface FetchInput {
  readonly http: GitHttpOptions
  /** Commits, or blobs if `depth` is null. */
  readonly wants: readonly string[]
  /** Commits in the `below` store. All of them are shallow. */
  readonly haves: readonly string[]
  readonly depth: 1 | null
  readonly blobLimit: number | null
  readonly below: BaseStore | null
  readonly limits: PackLimits
}

/** A checked, self-contained pack in memory, with its index. */
export interface FetchedPack {
  /** Hexadecimal checksum, which is also the pack name. */
  readonly name: string
  readonly pack: Uint8Array
  readonly idx: Uint8Array
  readonly index: PackIndex
  /** Reads an object from this pack or from the `below` store. */
  readObject(oid: string): Promise<PackedObject>
}

const CONFIG = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n'

/**
 * Fetches into memory with isomorphic-git. Reads the entire pack, resolves all its objects, and
 * rewrites a thin pack without external deltas. (Two thin packs can refer to each other, and
 * reading them would never terminate.) From the `below` store, isomorphic-git receives only the
 * delta bases that the pack names, as loose objects. Otherwise, it would load entire packs. Returns
 * null if the host has no objects to send.
 * @throws {GitHttpError}
 * @throws {RepositoryError} `corrupt_pack`, `too_large`
 */
export async function fetchObjects(input: FetchInput): Promise<FetchedPack | null> {
  const { below, limits } = input
  const files = new Map<string, Uint8Array>([['config', Buffer.from(CONFIG)]])
  for (const [i, oid] of input.haves.entries()) {
    files.set(`refs/heads/have${i}`, Buffer.from(`${oid}\n`))
    // isomorphic-git sends `have` lines only for commits that it can read.
    if (below) addLooseObject(files, oid, await below.readObject(oid))
  }
  if (input.haves.length > 0) files.set('shallow', Buffer.from(`${input.haves.join('\n')}\n`))

  const scan: { facts: PackFacts | null } = { facts: null }
  const bases: string[] = []
  const inspect = async (bytes: Uint8Array) => {
    scan.facts = await scanPack(toBuffer(bytes), limits)
    if (below) bases.push(...(await addLooseBases(scan.facts, below, limits, files)))
  }
  // isomorphic-git retries a failed write. The second write reuses the first result.
  let inspecting: Promise<void> | null = null
  const fs = buildObjectFs(files, async (path, bytes) => {
    if (!path.endsWith('.pack')) return
    inspecting ??= inspect(bytes)
    await inspecting
  })
  const cache = {}
  const thinPack = input.haves.length > 0
  await git.fetch({
    fs,
    cache,
    gitdir: VIRTUAL_GITDIR,
    http: buildGitHttp(input.http, { wants: input.wants, thinPack, blobLimit: input.blobLimit }),
    url: input.http.url,
    remote: 'origin',
    ref: 'want0',
    singleBranch: false,
    tags: false,
    ...(input.depth === null ? {} : { depth: input.depth }),
  })

  const path = [...files.keys()].find((file) => file.endsWith('.pack'))
  const { facts } = scan
  if (path === undefined || !facts || facts.count === 0) return null
  const first = takePack(files, path, facts.count)
  checkDeltaDepth(facts, first.index, limits.maxDeltaDepth)
  if (facts.namedBases.size === 0) return toFetchedPack(first, below, limits)

  const entries: PackEntry[] = []
  for (const oid of first.index.oids()) {
    const { type, object } = await git.readObject({ fs, cache, gitdir: VIRTUAL_GITDIR, oid, format: 'content' })
    entries.push({ type: type as PackEntry['type'], bytes: object as Uint8Array })
  }
  const own = buildPack(entries)
  const ownPath = `objects/pack/pack-${toBuffer(own).toString('hex', own.length - 20)}.pack`
  files.set(ownPath, own)
  files.delete(path)
  files.delete(toIdxPath(path))
  for (const base of bases) files.delete(base)
  await git.indexPack({ fs, cache: {}, dir: VIRTUAL_GITDIR, gitdir: VIRTUAL_GITDIR, filepath: ownPath })
  return toFetchedPack(takePack(files, ownPath, facts.count), below, limits)
}

/** Adds the named delta bases as loose objects. Returns their paths. */
async function addLooseBases(
  facts: PackFacts,
  below: BaseStore,
  limits: PackLimits,
  files: Map<string, Uint8Array>,
): Promise<string[]> {
  const paths: string[] = []
  let total = 0
  for (const oid of new Set(facts.namedBases.values())) {
    if (!below.has(oid)) continue
    const base = await below.readObject(oid, limits.maxObjectBytes)
    total += base.bytes.length
    if (total > limits.maxTotalBytes) throw new RepositoryError('too_large', 'The repository update is too large.')
    paths.push(addLooseObject(files, oid, base))
  }
  return paths
}

/**
 * Adds a loose object without compression, because it is read back immediately. Returns its path.
 */
function addLooseObject(files: Map<string, Uint8Array>, oid: string, { type, bytes }: PackedObject): string {
  const path = `objects/${oid.slice(0, 2)}/${oid.slice(2)}`
  files.set(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]), { level: 0 }))
  return path
}

interface TakenPack {
  readonly name: string
  readonly pack: Uint8Array
  readonly idx: Uint8Array
  readonly index: PackIndex
}

/**
 * Extracts the indexed pack from the files. isomorphic-git silently omits unresolvable objects from
 * the index, so the object count is checked.
 * @throws {RepositoryError} `corrupt_pack`
 */
function takePack(files: Map<string, Uint8Array>, path: string, count: number): TakenPack {
  const pack = files.get(path)
  const idx = files.get(toIdxPath(path))
  const index = idx ? toPackIndex(idx) : null
  if (!pack || !idx || !index || index.count !== count) {
    throw new RepositoryError('corrupt_pack', 'The pack from the Git host contains objects that cannot be resolved.')
  }
  return { name: toBuffer(pack).toString('hex', pack.byteLength - 20), pack, idx, index }
}

function toFetchedPack(taken: TakenPack, below: BaseStore | null, limits: PackLimits): FetchedPack {
  const bytes = toBuffer(taken.pack)
  const source: PackSource = {
    index: taken.index,
    size: bytes.length,
    read: (start, end) => bytes.subarray(start, end),
  }
  const yieldToEventLoop = buildYielder()
  return {
    ...taken,
    async readObject(oid) {
      if (!taken.index.has(oid) && below) return below.readObject(oid, limits.maxObjectBytes)
      return readPackedObject(source, oid, toReadLimits(limits, limits.maxObjectBytes), yieldToEventLoop)
    },
  }
}

/** Derives the limits for reading a pack that was scanned with `limits`. */
function toReadLimits(limits: PackLimits, maxBytes: number): ReadLimits {
  // A delta chain may contain several objects of the largest accepted size.
  return { maxBytes, maxChainBytes: Math.max(4 * limits.maxObjectBytes, maxBytes), maxDeltaDepth: limits.maxDeltaDepth }
}

function toIdxPath(path: string): string {
  return path.replace(/\.pack$/, '.idx')
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
