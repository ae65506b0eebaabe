import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { PackSource } from './pack-source.ts'
import { type ReadLimits, readPackedObject } from './read-packed-object.ts'

const LIMITS: ReadLimits = { maxBytes: 1_000, maxChainBytes: 10_000, maxDeltaDepth: 5 }
const BASE = Buffer.from('a'.repeat(100))
const toOid = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** Builds a pack of a blob and deltas, each of which adds one byte to the entry before it. */
function buildPack(deltas: number): { pack: PackSource; oids: string[]; reads: number[] } {
  const contents = Array.from({ length: deltas + 1 }, (_, at) => Buffer.concat([BASE, Buffer.from('b'.repeat(at))]))
  const entries = contents.map((content, at) => {
    const size = content.length
    // Copies the base, and inserts one byte.
    const data = at === 0 ? content : Buffer.from([size - 1, size, 0x90, size - 1, 1, 0x62])
    const head = Buffer.from([((at === 0 ? 3 : 6) << 4) | (data.length & 15) | 0x80, data.length >> 4])
    return { head, deflated: deflateSync(data) }
  })
  const offsets: number[] = []
  const parts: Buffer[] = [Buffer.alloc(12)]
  let end = 12
  for (const [at, { head, deflated }] of entries.entries()) {
    const distance = at === 0 ? [] : [end - (offsets[at - 1] ?? 0)]
    const bytes = Buffer.concat([head, Buffer.from(distance), deflated])
    offsets.push(end)
    parts.push(bytes)
    end += bytes.length
  }
  const bytes = Buffer.concat([...parts, Buffer.alloc(20)])
  const oids = contents.map(toOid)
  const reads: number[] = []
  const pack: PackSource = {
    size: bytes.length,
    index: {
      count: oids.length,
      bytes: 0,
      has: (oid) => oids.includes(oid),
      oids: () => oids,
      findOffset: (oid) => offsets[oids.indexOf(oid)] ?? null,
      findEnd: (offset, packEnd) => offsets[offsets.indexOf(offset) + 1] ?? packEnd,
    },
    read(from, to) {
      reads.push(from)
      return bytes.subarray(from, to)
    },
  }
  return { pack, oids, reads }
}

const read = (pack: PackSource, oid: string, limits = LIMITS) => readPackedObject(pack, oid, limits, () => undefined)

describe('a chain of deltas', () => {
  it('is read once if its objects are read in sequence', async () => {
    const { pack, oids, reads } = buildPack(3)
    for (const [at, oid] of oids.entries()) expect((await read(pack, oid)).bytes.length).toBe(BASE.length + at)
    expect(reads).toHaveLength(4)
  })

  it.each<[string, Partial<ReadLimits>]>([
    ['depth', { maxDeltaDepth: 2 }],
    ['total size', { maxChainBytes: 420 }],
    ['size', { maxBytes: 102 }],
  ])('has the same limit with and without cached objects: %s', async (_, limit) => {
    const { pack, oids } = buildPack(3)
    const limits = { ...LIMITS, ...limit }
    await expect(read(pack, oids[3] ?? '', limits)).rejects.toMatchObject({ code: 'too_large' })
    expect((await read(pack, oids[2] ?? '', limits)).bytes.length).toBe(102)
    await expect(read(pack, oids[3] ?? '', limits)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('of another pack does not use its objects', async () => {
    const first = buildPack(2)
    const second = buildPack(2)
    await read(first.pack, first.oids[2] ?? '')
    await read(second.pack, second.oids[2] ?? '')
    expect(second.reads).toHaveLength(3)
  })
})
