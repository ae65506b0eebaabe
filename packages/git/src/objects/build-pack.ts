import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export interface PackEntry {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag'
  readonly bytes: Uint8Array
}

/** Numbers of the object types in a pack. */
const TYPES: Readonly<Record<PackEntry['type'], number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/**
 * Size in bytes above which objects are compressed at the fastest level, because compression blocks
 * the event loop.
 */
const QUICK_BYTES = 1024 * 1024

/**
 * Builds a pack of whole objects (gitformat-pack(5)). isomorphic-git would read each object back
 * from a store and create a web stream for it.
 */
export function buildPack(entries: readonly PackEntry[]): Uint8Array {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(entries.length, 8)
  const parts: Uint8Array[] = [head]
  for (const { type, bytes } of entries) {
    parts.push(toEntryHeader(TYPES[type], bytes.length))
    parts.push(deflateSync(bytes, { level: bytes.length > QUICK_BYTES ? 1 : 6 }))
  }
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** Type and size of an object, 4 bits of the size in the first byte and 7 in each further one. */
function toEntryHeader(type: number, size: number): Buffer {
  const header = [(type << 4) | (size & 0x0f)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    header[header.length - 1] = (header.at(-1) ?? 0) | 0x80
    header.push(rest & 0x7f)
  }
  return Buffer.from(header)
}
