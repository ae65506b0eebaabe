import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

interface HostileObject {
  readonly oid: string
  readonly type: ObjectType
  readonly bytes: Buffer
}

export interface HostileEntry {
  readonly mode: string
  readonly name: string | Buffer
  readonly oid: string
}

/** Git objects by id, including objects that no client would write. Intentionally not validated. */
export interface HostileStore {
  readonly objects: Map<string, HostileObject>
  put(type: ObjectType, bytes: Buffer | string): string
  blob(content: Buffer | string): string
  /** Stores entries as given, including unsorted or duplicate entries with any name and mode. */
  tree(entries: readonly HostileEntry[]): string
  commit(tree: string, more?: string): string
}

export function buildHostileStore(): HostileStore {
  const objects = new Map<string, HostileObject>()
  const put = (type: ObjectType, content: Buffer | string): string => {
    const bytes = Buffer.from(content as string)
    const oid = hashAs(type, bytes)
    objects.set(oid, { oid, type, bytes })
    return oid
  }
  return {
    objects,
    put,
    blob: (content) => put('blob', content),
    tree: (entries) => put('tree', Buffer.concat(entries.map(toEntryBytes))),
    commit(tree, more = '') {
      const who = 'Somebody <somebody@example.com> 1700000000 +0000'
      return put('commit', `tree ${tree}\n${more}author ${who}\ncommitter ${who}\n\nhostile\n`)
    },
  }
}

export function hashAs(type: ObjectType, bytes: Buffer): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

function toEntryBytes({ mode, name, oid }: HostileEntry): Buffer {
  const nameBytes = Buffer.from(name as string)
  return Buffer.concat([Buffer.from(`${mode} `), nameBytes, Buffer.from([0]), Buffer.from(oid, 'hex')])
}

const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const
export const offsetDelta = 6
export const namedDelta = 7

/** Returns the header of a pack entry, with its type and size (gitformat-pack(5)). */
export function toEntryHead(type: number, size: number): Buffer {
  const head = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 128
    head.push(rest & 127)
  }
  return Buffer.from(head)
}

export function toPackEntry(object: HostileObject): Buffer {
  const deflated = deflateSync(object.bytes, { level: object.bytes.length > 1_000_000 ? 9 : 1 })
  return Buffer.concat([toEntryHead(typeNumbers[object.type], object.bytes.length), deflated])
}

/**
 * Builds a pack from encoded entries, with a valid checksum.
 * @param count the object count written to the header
 */
export function sealPack(entries: readonly Buffer[], count = entries.length): Buffer {
  const header = Buffer.from('5041434b0000000200000000', 'hex')
  header.writeUInt32BE(count, 8)
  const body = Buffer.concat([header, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

export function toPack(objects: Iterable<HostileObject>): Buffer {
  return sealPack([...objects].map(toPackEntry))
}

/** Encodes a number as in a delta header, with seven bits per byte, lowest bits first. */
export function toDeltaSize(size: number): Buffer {
  const bytes: number[] = []
  let rest = size
  do {
    const more = rest >= 128
    bytes.push((rest % 128) | (more ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}

/** Builds a delta that copies a base of less than 16 MiB and appends fewer than 128 bytes. */
export function buildAppendDelta(baseSize: number, added: Buffer): Buffer {
  const copy: Buffer[] = []
  for (let at = 0; at < baseSize; at += 0xffff) {
    const size = Math.min(0xffff, baseSize - at)
    copy.push(Buffer.from([0b10110111, at & 255, (at >> 8) & 255, (at >> 16) & 255, size & 255, size >> 8]))
  }
  const sizes = [toDeltaSize(baseSize), toDeltaSize(baseSize + added.length)]
  return Buffer.concat([...sizes, ...copy, Buffer.from([added.length]), added])
}

export function toNamedDeltaEntry(base: string, delta: Buffer): Buffer {
  return Buffer.concat([toEntryHead(namedDelta, delta.length), Buffer.from(base, 'hex'), deflateSync(delta)])
}

/** @param distance bytes from the start of the base's entry to the start of this one */
export function toOffsetDeltaEntry(distance: number, delta: Buffer): Buffer {
  const bytes = [distance & 127]
  for (let rest = distance >>> 7; rest > 0; rest >>>= 7) bytes.unshift(128 | (--rest & 127))
  return Buffer.concat([toEntryHead(offsetDelta, delta.length), Buffer.from(bytes), deflateSync(delta)])
}
