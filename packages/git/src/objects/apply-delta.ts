import { RepositoryError } from './repository-error.ts'
import type { YieldToEventLoop } from './yield-to-event-loop.ts'

/**
 * The base and result sizes at the start of a delta (gitformat-pack(5)). `start` is the offset of
 * the first instruction.
 */
interface DeltaSizes {
  readonly base: number
  readonly result: number
  readonly start: number
}

/**
 * Reads the sizes at the start of a delta.
 * @throws {RepositoryError} `corrupt_pack`
 */
export function readDeltaSizes(delta: Uint8Array): DeltaSizes {
  let start = 0
  const readSize = () => {
    let size = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[start++]
      if (byte === undefined || scale > 2 ** 49) throw broken()
      size += (byte & 127) * scale
      if (byte < 128) return size
    }
  }
  const base = readSize()
  const result = readSize()
  return { base, result, start }
}

const SMALL_COPY_BYTES = 64

/**
 * Applies a delta to its base and returns the resulting object. Never writes more than the declared
 * size, which the caller has checked. Yields to the event loop, because a megabyte of one-byte
 * instructions takes a million steps.
 * @throws {RepositoryError} `corrupt_pack`
 */
export async function applyDelta(base: Buffer, delta: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<Buffer> {
  const sizes = readDeltaSizes(delta)
  if (sizes.base !== base.length) throw broken()
  const result = Buffer.allocUnsafe(sizes.result)
  let from = sizes.start
  let to = 0
  let steps = 0
  const next = () => {
    const byte = delta[from++]
    if (byte === undefined) throw broken()
    return byte
  }
  while (from < delta.length) {
    const op = next()
    if (op & 128) {
      let offset = 0
      let size = 0
      for (let bit = 0; bit < 4; bit++) if (op & (1 << bit)) offset += next() * 256 ** bit
      for (let bit = 0; bit < 3; bit++) if (op & (16 << bit)) size += next() * 256 ** bit
      if (size === 0) size = 0x10000
      if (offset + size > base.length || to + size > result.length) throw broken()
      copy(base, offset, result, to, size)
      to += size
    } else {
      if (op === 0 || from + op > delta.length || to + op > result.length) throw broken()
      copy(delta, from, result, to, op)
      from += op
      to += op
    }
    if ((++steps & 1023) === 0) await yieldToEventLoop()
  }
  if (to !== result.length) throw broken()
  return result
}

/**
 * Copies bytes. Most instructions copy a few bytes, for which a call to `Buffer.copy` takes longer.
 */
function copy(from: Buffer, start: number, to: Buffer, at: number, size: number): void {
  if (size > SMALL_COPY_BYTES) from.copy(to, at, start, start + size)
  else for (let i = 0; i < size; i += 1) to[at + i] = from[start + i] ?? 0
}

function broken(): RepositoryError {
  return new RepositoryError('corrupt_pack', 'The pack from the Git host contains an invalid delta.')
}
