import { RepositoryError } from './repository-error.ts'

const headerBytes = 8
const fanoutBytes = 256 * 4

/** A pack index, version 2 (gitformat-pack(5)), asked without unpacking its names. */
export interface PackIndex {
  readonly count: number
  has(oid: string): boolean
  oids(): string[]
}

/** @throws {RepositoryError} `corrupt_pack` */
export function toPackIndex(bytes: ArrayBuffer | Uint8Array): PackIndex {
  const idx =
    bytes instanceof ArrayBuffer ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tooShort = idx.length < headerBytes + fanoutBytes + 40
  if (tooShort || idx.readUInt32BE(0) !== 0xff744f63 || idx.readUInt32BE(4) !== 2) throw corrupt()
  const fanout = (byte: number) => (byte < 0 ? 0 : idx.readUInt32BE(headerBytes + byte * 4))
  const count = fanout(255)
  const names = headerBytes + fanoutBytes
  if (idx.length < names + count * 28 + 40) throw corrupt()
  return {
    count,
    has(oid) {
      const wanted = Buffer.from(oid, 'hex')
      const first = wanted[0]
      if (wanted.length !== 20 || first === undefined) return false
      let low = fanout(first - 1)
      let high = fanout(first)
      while (low < high) {
        const middle = (low + high) >> 1
        const at = names + middle * 20
        const order = idx.compare(wanted, 0, 20, at, at + 20)
        if (order === 0) return true
        if (order < 0) low = middle + 1
        else high = middle
      }
      return false
    },
    oids() {
      const all: string[] = []
      for (let i = 0; i < count; i++) all.push(idx.toString('hex', names + i * 20, names + i * 20 + 20))
      return all
    },
  }
}

function corrupt(): RepositoryError {
  return new RepositoryError('corrupt_pack', 'A pack index in the cache is damaged.')
}
