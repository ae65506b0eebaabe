import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { inflate, inflateSync } from 'node:zlib'
import { applyDelta, readDeltaSizes } from './apply-delta.ts'
import { type DeltaBase, findDeltaBase, keepDeltaBase } from './delta-bases.ts'
import type { ObjectType, PackSource } from './pack-source.ts'
import { RepositoryError } from './repository-error.ts'
import type { YieldToEventLoop } from './yield-to-event-loop.ts'

export interface PackedObject {
  readonly type: ObjectType
  readonly bytes: Buffer
}

export interface ReadLimits {
  /** Maximum size of the object, in bytes. */
  readonly maxBytes: number
  /**
   * Maximum total inflated size of the object's base, deltas and intermediate results, in bytes.
   */
  readonly maxChainBytes: number
  readonly maxDeltaDepth: number
}

interface Step {
  readonly offset: number
  readonly delta: boolean
  readonly type: ObjectType | null
  /** Declared inflated size in bytes. */
  readonly size: number
  readonly deflated: Buffer
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const NAMED_DELTA = 7
/**
 * Maximum size in bytes of objects that are inflated synchronously, because dispatching to another
 * thread would cost more.
 */
const SMALL_BYTES = 64 * 1024
const LARGE_CHUNK_BYTES = 1024 * 1024
/** Smallest chunk that zlib accepts. */
const MIN_CHUNK_BYTES = 64
const inflateElsewhere = promisify(inflate)

/**
 * Reads an object from a pack and verifies it against its ID. Suitable for untrusted packs, because
 * the cost is limited before data is inflated, large objects and deltas are inflated off the event
 * loop, and only this object's delta chain and a bounded cache of delta bases are held in memory.
 * (isomorphic-git's reader holds entire packs in memory and inflates on the event loop, in
 * JavaScript.) The limits do not depend on the cache.
 * @throws {RepositoryError} `too_large`, `corrupt_pack`, `object_not_found`
 * @throws if the pack cannot be read
 */
export async function readPackedObject(
  pack: PackSource,
  oid: string,
  limits: ReadLimits,
  yieldToEventLoop: YieldToEventLoop,
): Promise<PackedObject> {
  await yieldToEventLoop()
  const start = pack.index.findOffset(oid)
  if (start === null) throw new RepositoryError('object_not_found', 'A repository object is not in the cache.')
  const steps: Step[] = []
  let known: DeltaBase | null = null
  let chainBytes = 0
  for (let offset: number | null = start; offset !== null; ) {
    const { step, base } = await readStep(pack, offset, limits.maxChainBytes)
    steps.push(step)
    chainBytes += step.size
    known = base === null ? null : findDeltaBase(pack, base)
    if (chainBytes + (known?.chainBytes ?? 0) > limits.maxChainBytes) throw tooLarge()
    if (steps.length + (known?.depth ?? 0) > limits.maxDeltaDepth + 1) throw tooLarge()
    if (!step.delta && steps.length === 1 && step.size > limits.maxBytes) throw tooLarge()
    offset = known === null ? base : null
  }
  const type = known?.type ?? steps.at(-1)?.type
  let bytes: Buffer | null = known?.bytes ?? null
  let depth = known?.depth ?? 0
  chainBytes = known?.chainBytes ?? 0
  for (const step of steps.reverse()) {
    const inflated = await inflateStep(step)
    chainBytes += step.size
    if (bytes === null) bytes = inflated
    else {
      const { result } = readDeltaSizes(inflated)
      chainBytes += result
      if (chainBytes > limits.maxChainBytes) throw tooLarge()
      if (step === steps.at(-1) && result > limits.maxBytes) throw tooLarge()
      bytes = await applyDelta(bytes, inflated, yieldToEventLoop)
    }
    depth += 1
    if (type) keepDeltaBase(pack, step.offset, { type, bytes, depth, chainBytes })
    await yieldToEventLoop()
  }
  if (!type || !bytes) throw corrupt()
  if ((await hashInTurns(type, bytes, yieldToEventLoop)) !== oid) throw new Error('An object does not match its ID.')
  return { type, bytes }
}

async function readStep(
  pack: PackSource,
  offset: number,
  maxBytes: number,
): Promise<{ step: Step; base: number | null }> {
  const end = pack.index.findEnd(offset, pack.size - 20)
  // Deflated data is never much larger than inflated data, so this does not reject objects within
  // the limits.
  if (end - offset > maxBytes + SMALL_BYTES) throw tooLarge()
  const raw = await pack.read(offset, end)
  let at = 0
  const next = () => {
    const byte = raw[at++]
    if (byte === undefined) throw corrupt()
    return byte
  }
  let byte = next()
  const kind = (byte >> 4) & 7
  let size = byte & 15
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = next()
    size += (byte & 127) * scale
  }
  let base: number | null = null
  if (kind === OFFSET_DELTA) {
    byte = next()
    let distance = byte & 127
    while (byte & 128) {
      byte = next()
      distance = (distance + 1) * 128 + (byte & 127)
    }
    if (distance <= 0 || distance > offset - 12) throw corrupt()
    base = offset - distance
  } else if (kind === NAMED_DELTA) {
    base = pack.index.findOffset(raw.toString('hex', at, at + 20))
    at += 20
    if (base === null) throw corrupt()
  } else if (!TYPES[kind]) throw corrupt()
  return { step: { offset, delta: base !== null, type: TYPES[kind] ?? null, size, deflated: raw.subarray(at) }, base }
}

async function inflateStep({ deflated, size }: Step): Promise<Buffer> {
  // One byte more than needed, so that the first chunk holds the whole object.
  const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.min(size + 1, LARGE_CHUNK_BYTES))
  const options = { maxOutputLength: Math.max(size, 1), chunkSize }
  const small = size <= SMALL_BYTES && deflated.length <= 2 * SMALL_BYTES
  const bytes = small ? inflateSync(deflated, options) : await inflateElsewhere(deflated, options)
  if (bytes.length !== size) throw new Error('An object does not have its declared size.')
  return bytes
}

async function hashInTurns(type: ObjectType, bytes: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<string> {
  const hash = createHash('sha1').update(`${type} ${bytes.length}\0`)
  for (let at = 0; at < bytes.length; at += LARGE_CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + LARGE_CHUNK_BYTES))
    await yieldToEventLoop()
  }
  return hash.digest('hex')
}

function tooLarge(): RepositoryError {
  return new RepositoryError('too_large', "A file in the repository exceeds this service's size limit.")
}

function corrupt(): RepositoryError {
  return new RepositoryError('corrupt_pack', 'A repository pack cannot be read.')
}
