import { RepositoryError } from './repository-error.ts'

const HEADER_BYTES = 8
const FANOUT_BYTES = 256 * 4

/** A pack index, version 2 (gitformat-pack(5)), searched without unpacking its names. */
export interface PackIndex {
  readonly count: number
  /** Size of the index in bytes. */
  readonly bytes: number
  has(oid: string): boolean
  oids(): string[]
  /** Returns the offset of an object in the pack, or null if the pack does not contain it. */
  findOffset(oid: string): number | null
  /**
   * Returns the end of the entry that starts at an offset.
   * @param packEnd end of the last entry in the pack
   */
  findEnd(offset: number, packEnd: number): number
}

/**
 * Parses a pack index.
 * @throws {RepositoryError} `corrupt_pack`
 */
export function toPackIndex(bytes: ArrayBuffer | Uint8Array): PackIndex {
  const idx =
    bytes instanceof ArrayBuffer ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tooShort = idx.length < HEADER_BYTES + FANOUT_BYTES + 40
  if (tooShort || idx.readUInt32BE(0) !== 0xff744f63 || idx.readUInt32BE(4) !== 2) throw corrupt()
  const fanout = (byte: number) => (byte < 0 ? 0 : idx.readUInt32BE(HEADER_BYTES + byte * 4))
  const count = fanout(255)
  const names = HEADER_BYTES + FANOUT_BYTES
  const offsets = names + count * 24
  if (idx.length < names + count * 28 + 40) throw corrupt()
  let sorted: Uint32Array | null = null

  const findPosition = (oid: string): number => {
    const wanted = Buffer.from(oid, 'hex')
    const first = wanted[0]
    if (wanted.length !== 20 || first === undefined) return -1
    let low = fanout(first - 1)
    let high = Math.min(fanout(first), count)
    while (low < high) {
      const middle = (low + high) >> 1
      const at = names + middle * 20
      const order = idx.compare(wanted, 0, 20, at, at + 20)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  }

  const sort = (): Uint32Array => {
    const all = new Uint32Array(count)
    for (let i = 0; i < count; i++) all[i] = idx.readUInt32BE(offsets + i * 4)
    return all.sort()
  }

  return {
    count,
    bytes: idx.length,
    has: (oid) => findPosition(oid) >= 0,
    oids() {
      const all: string[] = []
      for (let i = 0; i < count; i++) all.push(idx.toString('hex', names + i * 20, names + i * 20 + 20))
      return all
    },
    findOffset(oid) {
      const position = findPosition(oid)
      if (position < 0) return null
      const offset = idx.readUInt32BE(offsets + position * 4)
      // The highest bit refers to a table of 64-bit offsets, but no accepted pack is that large.
      if (offset >= 2 ** 31) throw corrupt()
      return offset
    },
    findEnd(offset, packEnd) {
      sorted ??= sort()
      let low = 0
      let high = count
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sorted[middle] ?? 0) <= offset) low = middle + 1
        else high = middle
      }
      return Math.min(sorted[low] ?? packEnd, packEnd)
    },
  }
}

function corrupt(): RepositoryError {
  return new RepositoryError('corrupt_pack', 'A pack index in the cache is damaged.')
}
