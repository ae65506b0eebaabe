import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { readDeltaSizes } from './apply-delta.ts'
import type { PackIndex } from './pack-index.ts'
import { RepositoryError } from './repository-error.ts'
import { buildYielder, type YieldToEventLoop } from './yield-to-event-loop.ts'

export interface PackLimits {
  /** Maximum inflated size of an object, in bytes. */
  readonly maxObjectBytes: number
  /**
   * Maximum total inflated size of all objects in bytes, including both deltas and their results.
   */
  readonly maxTotalBytes: number
  readonly maxObjects: number
  /**
   * Maximum length of a delta chain. Git creates chains of at most 50 deltas, or 250 in aggressive
   * mode.
   */
  readonly maxDeltaDepth: number
  /**
   * Maximum total inflated size of all deltas, in bytes. Their instructions may be one byte each
   * and are executed one by one.
   */
  readonly maxDeltaBytes: number
}

export interface PackFacts {
  readonly count: number
  /**
   * Base IDs of the deltas that name their base by ID, keyed by the delta's offset. The base may be
   * outside this pack.
   */
  readonly namedBases: ReadonlyMap<number, string>
  /** Base offsets of the other deltas, keyed by the delta's offset. */
  readonly bases: ReadonlyMap<number, number>
}

const OFFSET_DELTA = 6
const NAMED_DELTA = 7
// Commit, tree, blob, tag and the two delta types (gitformat-pack(5)).
const KNOWN_TYPES = new Set([1, 2, 3, 4, OFFSET_DELTA, NAMED_DELTA])
const HASHED_AT_ONCE = 1024 * 1024

/**
 * Validates an entire pack before other code reads it. Verifies the checksum and object count, and
 * that each object inflates to exactly its declared size, which must be within the limits. Rejects
 * an oversized object by its declared size, before inflating it. Yields to the event loop between
 * objects.
 * @throws {RepositoryError} `corrupt_pack`, `too_large`
 */
export async function scanPack(pack: Buffer, limits: PackLimits): Promise<PackFacts> {
  const yieldToEventLoop = buildYielder()
  const end = pack.length - 20
  if (end < 12 || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2) throw corrupt('has no header')
  const count = pack.readUInt32BE(8)
  if (count > limits.maxObjects) throw tooLarge()
  await checkSum(pack, end, yieldToEventLoop)
  let offset = 12
  let total = 0
  let deltaBytes = 0
  const namedBases = new Map<number, string>()
  const bases = new Map<number, number>()
  const depths = new Map<number, number>()
  const next = () => {
    const byte = offset < end ? pack[offset++] : undefined
    if (byte === undefined) throw corrupt('is truncated')
    return byte
  }
  for (let seen = 0; seen < count; seen++) {
    await yieldToEventLoop()
    const start = offset
    let byte = next()
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let scale = 16; byte & 128; scale *= 128) {
      byte = next()
      size += (byte & 127) * scale
    }
    if (!KNOWN_TYPES.has(type)) throw corrupt('contains an object of an unknown type')
    const isDelta = type === OFFSET_DELTA || type === NAMED_DELTA
    let depth = isDelta ? 1 : 0
    if (type === OFFSET_DELTA) {
      const base = start - readDistance(next)
      const below = depths.get(base)
      if (below === undefined) throw corrupt('contains a delta without a base')
      bases.set(start, base)
      depth = below + 1
    }
    if (type === NAMED_DELTA) {
      if (offset + 20 > end) throw corrupt('is truncated')
      namedBases.set(start, pack.toString('hex', offset, offset + 20))
      offset += 20
    }
    depths.set(start, depth)
    total += size
    if (isDelta) deltaBytes += size
    const beyond = size > limits.maxObjectBytes || total > limits.maxTotalBytes || deltaBytes > limits.maxDeltaBytes
    if (beyond || depth > limits.maxDeltaDepth) throw tooLarge()
    const { content, used } = inflate(pack.subarray(offset, end), size)
    offset += used
    if (isDelta) {
      const sizes = readDeltaSizes(content)
      if (Math.max(sizes.base, sizes.result) > limits.maxObjectBytes) throw tooLarge()
      total += sizes.result
    }
  }
  if (total > limits.maxTotalBytes) throw tooLarge()
  if (offset !== end) throw corrupt('contains more data than declared')
  return { count, namedBases, bases }
}

/**
 * Checks the depth of delta chains with bases named by ID, which the scan cannot determine.
 * Requires the pack's index.
 * @throws {RepositoryError} `too_large`
 */
export function checkDeltaDepth(facts: PackFacts, index: PackIndex, maxDeltaDepth: number): void {
  const depths = new Map<number, number>()
  const findBase = (offset: number): number | null => {
    const name = facts.namedBases.get(offset)
    return name === undefined ? (facts.bases.get(offset) ?? null) : index.findOffset(name)
  }
  for (const start of [...facts.namedBases.keys(), ...facts.bases.keys()]) {
    const path: number[] = []
    let at: number | null = start
    while (at !== null && !depths.has(at) && path.length <= maxDeltaDepth) {
      path.push(at)
      at = findBase(at)
    }
    let depth = at === null ? -1 : (depths.get(at) ?? maxDeltaDepth)
    for (const offset of path.reverse()) depths.set(offset, ++depth)
    if (depth > maxDeltaDepth) throw tooLarge()
  }
}

async function checkSum(pack: Buffer, end: number, yieldToEventLoop: YieldToEventLoop): Promise<void> {
  const hash = createHash('sha1')
  for (let at = 0; at < end; at += HASHED_AT_ONCE) {
    hash.update(pack.subarray(at, Math.min(at + HASHED_AT_ONCE, end)))
    await yieldToEventLoop()
  }
  if (!hash.digest().equals(pack.subarray(end))) throw corrupt('does not match its checksum')
}

function readDistance(next: () => number): number {
  let byte = next()
  let distance = byte & 127
  while (byte & 128) {
    byte = next()
    distance = (distance + 1) * 128 + (byte & 127)
  }
  return distance
}

function inflate(bytes: Buffer, size: number): { content: Buffer; used: number } {
  try {
    // The documented Node option `info` adds the engine to the result. Its `bytesWritten` is the
    // object's size in the pack.
    const inflated = inflateSync(bytes, { info: true, maxOutputLength: Math.max(size, 1) }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (inflated.buffer.length !== size) throw corrupt('contains an object that does not have its declared size')
    return { content: inflated.buffer, used: inflated.engine.bytesWritten }
  } catch (error) {
    if (error instanceof RepositoryError) throw error
    throw corrupt('contains an object that cannot be inflated')
  }
}

function tooLarge(): RepositoryError {
  return new RepositoryError(
    'too_large',
    "The number or size of files in the repository exceeds this service's limits.",
  )
}

function corrupt(how: string): RepositoryError {
  return new RepositoryError('corrupt_pack', `The pack from the Git host ${how}.`)
}
