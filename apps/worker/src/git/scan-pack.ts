import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { RepositoryError } from './repository-error.ts'

export interface PackLimits {
  /** Inflated bytes of one object. */
  readonly maxObjectBytes: number
  /** Inflated bytes of all objects together. */
  readonly maxTotalBytes: number
}

export interface PackFacts {
  readonly count: number
  /** Objects stored as deltas against an object named by its id, which need not be in this pack. */
  readonly namedDeltas: number
}

const offsetDelta = 6
const namedDelta = 7
// commit, tree, blob, tag and the two kinds of delta (gitformat-pack(5)).
const knownTypes = new Set([1, 2, 3, 4, offsetDelta, namedDelta])

/**
 * Read a pack from its first to its last byte before anything else does: its checksum, the number of objects it promises, and that each
 * inflates to exactly the size it declares, which must be within the limits. A bomb is refused by its declaration, before it is inflated.
 * @throws {RepositoryError} `corrupt_pack`, `too_large`
 */
export function scanPack(pack: Buffer, limits: PackLimits): PackFacts {
  const end = pack.length - 20
  if (end < 12 || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2) throw corrupt('has no header')
  const digest = createHash('sha1').update(pack.subarray(0, end)).digest()
  if (!digest.equals(pack.subarray(end))) throw corrupt('does not match its checksum')
  const count = pack.readUInt32BE(8)
  let offset = 12
  let total = 0
  let namedDeltas = 0
  const next = () => {
    const byte = offset < end ? pack[offset++] : undefined
    if (byte === undefined) throw corrupt('ends too early')
    return byte
  }
  for (let seen = 0; seen < count; seen++) {
    let byte = next()
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let scale = 16; byte & 128; scale *= 128) {
      byte = next()
      size += (byte & 127) * scale
    }
    if (!knownTypes.has(type)) throw corrupt('holds an object of unknown type')
    if (type === offsetDelta) while (next() & 128);
    if (type === namedDelta) {
      offset += 20
      namedDeltas++
    }
    total += size
    if (size > limits.maxObjectBytes || total > limits.maxTotalBytes) throw tooLarge()
    const { content, used } = inflate(pack.subarray(offset, end), size)
    offset += used
    if (type === offsetDelta || type === namedDelta) total += toDeltaResultSize(content, limits.maxObjectBytes)
  }
  if (offset !== end) throw corrupt('holds more than it promises')
  return { count, namedDeltas }
}

function inflate(bytes: Buffer, size: number): { content: Buffer; used: number } {
  try {
    // `info` is documented to add the engine, whose bytesWritten is what the object took up in the pack.
    const answer = inflateSync(bytes, { info: true, maxOutputLength: Math.max(size, 1) }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (answer.buffer.length !== size) throw corrupt('holds an object of another size than declared')
    return { content: answer.buffer, used: answer.engine.bytesWritten }
  } catch (error) {
    if (error instanceof RepositoryError) throw error
    throw corrupt('holds an object that cannot be inflated')
  }
}

/** A delta starts with the sizes of its base and of its result (gitformat-pack(5)); a tiny one can stand for gigabytes. */
function toDeltaResultSize(delta: Buffer, maxObjectBytes: number): number {
  let offset = 0
  const readSize = () => {
    let size = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[offset++]
      if (byte === undefined) throw corrupt('holds a broken delta')
      size += (byte & 127) * scale
      if (byte < 128) return size
    }
  }
  readSize()
  const result = readSize()
  if (result > maxObjectBytes) throw tooLarge()
  return result
}

function tooLarge(): RepositoryError {
  return new RepositoryError('too_large', 'The repository holds more or larger files than this service accepts.')
}

function corrupt(how: string): RepositoryError {
  return new RepositoryError('corrupt_pack', `The pack of the Git host ${how}.`)
}
