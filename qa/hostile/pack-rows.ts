import { deflateRawSync, deflateSync } from 'node:zlib'
import type { HostileOrigin } from './hostile-host.ts'
import {
  buildAppendDelta,
  hashAs,
  namedDelta,
  offsetDelta,
  sealPack,
  toDeltaSize,
  toEntryHead,
  toNamedDeltaEntry,
  toOffsetDeltaEntry,
  toPack,
  toPackEntry,
} from './hostile-objects.ts'
import { type HostileRow, putEntries, putTree, readable, refused, toFile } from './hostile-row.ts'

const MiB = 1024 * 1024
const tooLarge = refused('too_large')
const corrupt = refused('corrupt_pack')

/**
 * Builds a row whose pack contains a valid commit's objects, followed by these entries.
 * @param count the object count to write to the header, if incorrect
 */
function withEntries(name: string, expect: HostileRow['expect'], build: () => Buffer[], count?: number): HostileRow {
  return {
    name,
    build(origin) {
      putEntries(origin, [toFile(origin, 'a.md', name)])
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const pack = sealPack([...good, ...build()], count)
      origin.pack = () => pack
    },
    expect,
  }
}

/** Builds a row with a modified version of a valid commit's pack. */
function withPack(name: string, expect: HostileRow['expect'], change: (pack: Buffer) => Buffer): HostileRow {
  return {
    name,
    build(origin) {
      putEntries(origin, [toFile(origin, 'a.md', name)])
      origin.pack = () => change(toPack(origin.store.objects.values()))
    },
    expect,
  }
}

const blob = 3
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 })
const whole = (type: number, size: number, deflated: Buffer) => Buffer.concat([toEntryHead(type, size), deflated])

/** Builds a delta that declares a result size but produces no data. */
const hollowDelta = (base: number, result: number) => Buffer.concat([toDeltaSize(base), toDeltaSize(result)])

/** Builds a delta with one instruction byte per 64 KiB of result. */
function buildCopyBomb(base: number, times: number): Buffer {
  const sizes = [toDeltaSize(base), toDeltaSize(times * 65_536)]
  return Buffer.concat([...sizes, Buffer.alloc(times, 0b10000000)])
}

/**
 * Creates a valid commit whose only file is the end of a chain of deltas. Returns the chain's pack
 * entries.
 */
function putChain(origin: HostileOrigin, base: Buffer, length: number, named: boolean): Buffer[] {
  const entries = [toPackEntry({ oid: '', type: 'blob', bytes: base })]
  let bytes = base
  for (let i = 0; i < length; i++) {
    const added = Buffer.from(`${i}\n`)
    const delta = buildAppendDelta(bytes.length, added)
    const before = entries.at(-1)?.length ?? 0
    entries.push(named ? toNamedDeltaEntry(hashAs('blob', bytes), delta) : toOffsetDeltaEntry(before, delta))
    bytes = Buffer.concat([bytes, added])
  }
  putEntries(origin, [{ mode: '100644', name: 'end.md', oid: hashAs('blob', bytes) }])
  return entries
}

function chain(name: string, expect: HostileRow['expect'], base: number, length: number, named = false): HostileRow {
  return {
    name,
    build(origin) {
      const entries = putChain(origin, Buffer.alloc(base, 'x'), length, named)
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const pack = sealPack([...entries, ...good])
      origin.pack = () => pack
    },
    expect,
  }
}

/** Commits nested or repeated trees, built from the leaves up. */
function putLevels(origin: HostileOrigin, levels: number, width: number, name = 'd'): void {
  let tree = origin.store.tree(Array.from({ length: width }, (_, i) => toFile(origin, `f${i}`)))
  for (let level = 0; level < levels; level++) {
    const oid = tree
    tree = origin.store.tree(Array.from({ length: width }, (_, i) => ({ mode: '40000', name: `${name}${i}`, oid })))
  }
  putTree(origin, tree)
}

function flat(count: number, length = 6): HostileRow['build'] {
  return (origin) => {
    const oid = origin.store.blob('x')
    const toName = (i: number) => String(i).padStart(length, '0')
    putEntries(
      origin,
      Array.from({ length: count }, (_, i) => ({ mode: '100644', name: toName(i), oid })),
    )
  }
}

export const packRows: readonly HostileRow[] = [
  {
    name: 'a file with 150 MiB of zeros',
    build: (origin) => void putEntries(origin, [toFile(origin, 'zeros.bin', Buffer.alloc(150 * MiB))]),
    expect: tooLarge,
  },
  {
    name: 'a file with 60 MiB of zeros, below the limit',
    build: (origin) =>
      void putEntries(origin, [toFile(origin, 'a.md'), toFile(origin, 'z.bin', Buffer.alloc(60 * MiB))]),
    expect: readable(['a.md', 'z.bin']),
  },
  {
    name: 'forty files of 60 MiB',
    build: (origin) => {
      const files = Array.from({ length: 40 }, (_, i) => {
        const content = Buffer.alloc(60 * MiB)
        content.write(`file ${i}`)
        const oid = origin.store.blob(content)
        // Stores only the packed form, because forty unpacked files would not fit in memory.
        const entry = toPackEntry({ oid, type: 'blob', bytes: content })
        origin.store.objects.delete(oid)
        return { oid, entry }
      })
      putEntries(
        origin,
        files.map(({ oid }, i) => ({ mode: '100644', name: `f${String(i).padStart(2, '0')}`, oid })),
      )
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const pack = sealPack([...good, ...files.map(({ entry }) => entry)])
      origin.pack = () => pack
    },
    expect: tooLarge,
  },
  withEntries('600 MiB compressed to 600 kB, with the correct size declared', tooLarge, () => [
    whole(blob, 600 * MiB, zeros(600 * MiB)),
  ]),
  withEntries('600 MiB declared as ten bytes', corrupt, () => [whole(blob, 10, zeros(600 * MiB))]),
  withEntries('ten bytes declared as 60 MiB', corrupt, () => [whole(blob, 60 * MiB, zeros(10))]),
  withEntries('an object size encoded in twenty bytes', refused('too_large', 'corrupt_pack'), () => [
    Buffer.alloc(20, 0xff),
    zeros(1),
  ]),
  withEntries('an object whose stream never ends', corrupt, () => [
    Buffer.concat([toEntryHead(blob, 4 * MiB), Buffer.from([0x78, 0x01]), Buffer.alloc(200_000)]),
  ]),
  withEntries('an object that requires a dictionary', corrupt, () => [
    Buffer.concat([toEntryHead(blob, 5), Buffer.from([0x78, 0xbb, 1, 2, 3, 4]), deflateRawSync(Buffer.from('hello'))]),
  ]),
  withEntries('an object that is not compressed', corrupt, () => [whole(blob, 5, Buffer.from('hello'))]),
  withEntries('an object of type 0', corrupt, () => [whole(0, 1, zeros(1))]),
  withEntries('an object of type 5', corrupt, () => [whole(5, 1, zeros(1))]),
  withEntries('four billion declared objects', tooLarge, () => [], 0xffffffff),
  withEntries('one object fewer than declared', corrupt, () => [], 4),
  withEntries('one object more than declared', corrupt, () => [], 2),
  withEntries('160,000 empty objects', tooLarge, () => Array.from({ length: 160_000 }, () => whole(blob, 0, zeros(0)))),
  withEntries('20,000 unrequested objects', readable(['a.md']), () =>
    Array.from({ length: 20_000 }, (_, i) => {
      const bytes = Buffer.from(String(i))
      return whole(blob, bytes.length, deflateSync(bytes, { level: 0 }))
    }),
  ),
  withEntries('the same object a thousand times', readable(['a.md']), () =>
    Array.from({ length: 1_000 }, () => whole(blob, 5, deflateSync(Buffer.from('again')))),
  ),
  withEntries('a delta that declares 2 GiB', tooLarge, () => [
    toNamedDeltaEntry('7'.repeat(40), hollowDelta(2, 2 ** 31)),
  ]),
  withEntries('a delta that declares 2^53 bytes', refused('too_large', 'corrupt_pack'), () => [
    toNamedDeltaEntry('7'.repeat(40), hollowDelta(2, 2 ** 53)),
  ]),
  withEntries('a delta whose sizes never end', corrupt, () => [
    Buffer.concat([toEntryHead(namedDelta, 100), Buffer.alloc(20, 7), deflateSync(Buffer.alloc(100, 0xff))]),
  ]),
  withEntries('a delta with an unknown base', corrupt, () => [
    toNamedDeltaEntry('7'.repeat(40), buildAppendDelta(10, Buffer.from('x'))),
  ]),
  withEntries('a delta with a base before the start of the pack', corrupt, () => [
    toOffsetDeltaEntry(2 ** 25, buildAppendDelta(2, Buffer.from('x'))),
  ]),
  withEntries('a delta with itself as its base', corrupt, () => [
    Buffer.concat([toEntryHead(offsetDelta, 4), Buffer.from([0]), deflateSync(buildAppendDelta(0, Buffer.from('x')))]),
  ]),
  withEntries('two deltas with missing bases', corrupt, () => [
    toNamedDeltaEntry('7'.repeat(40), buildAppendDelta(1, Buffer.from('x'))),
    toNamedDeltaEntry('8'.repeat(40), buildAppendDelta(1, Buffer.from('y'))),
  ]),
  {
    name: 'a hundred deltas of 60 MiB from a base of 64 KiB',
    build(origin) {
      const base = origin.store.blob(Buffer.alloc(65_536, 'b'))
      putEntries(origin, [{ mode: '100644', name: 'base.bin', oid: base }])
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const bombs = Array.from({ length: 100 }, () => toNamedDeltaEntry(base, buildCopyBomb(65_536, 960)))
      const pack = sealPack([...good, ...bombs])
      origin.pack = () => pack
    },
    expect: tooLarge,
  },
  {
    name: 'a delta with a million instructions',
    build(origin) {
      const base = origin.store.blob('b')
      putEntries(origin, [{ mode: '100644', name: 'base.bin', oid: base }])
      const copies = Buffer.concat(Array.from({ length: 1_000_000 }, () => Buffer.from([0b10010000, 1])))
      const delta = Buffer.concat([toDeltaSize(1), toDeltaSize(1_000_000), copies])
      const end = hashAs('blob', Buffer.alloc(1_000_000, 'b'))
      putEntries(origin, [
        { mode: '100644', name: 'base.bin', oid: base },
        { mode: '100644', name: 'end.bin', oid: end },
      ])
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const pack = sealPack([...good, toNamedDeltaEntry(base, delta)])
      origin.pack = () => pack
    },
    expect: readable(['base.bin', 'end.bin']),
  },
  chain('a chain of 10,000 deltas', tooLarge, 100, 10_000),
  chain('a chain of 10,000 deltas that name their bases by object id', tooLarge, 100, 10_000, true),
  chain('a chain of 300 deltas of 1 MiB', tooLarge, MiB, 300),
  chain('a chain of 40 deltas that name their bases by object id', readable(['end.md']), 100, 40, true),
  withPack('a truncated pack', corrupt, (pack) => pack.subarray(0, pack.length >> 1)),
  withPack('a pack with a wrong checksum', corrupt, (pack) => Buffer.concat([pack.subarray(0, -1), Buffer.from([0])])),
  withPack('a version 3 pack', corrupt, (pack) => {
    const copy = Buffer.from(pack)
    copy.writeUInt32BE(3, 4)
    return copy
  }),
  withPack('a pack without objects', corrupt, () => sealPack([])),
  withPack('a pack of garbage bytes', corrupt, () => Buffer.alloc(300_000, '<html>')),
  withPack('an empty response', corrupt, () => Buffer.alloc(0)),
  {
    name: 'directories nested 5,000 deep',
    build: (origin) => putLevels(origin, 5_000, 1),
    expect: tooLarge,
  },
  {
    name: 'nine trees that expand to 10^8 paths',
    build: (origin) => putLevels(origin, 8, 10),
    expect: tooLarge,
  },
  {
    name: 'sixty levels of doubling trees with 10^18 paths',
    build: (origin) => putLevels(origin, 60, 2),
    expect: tooLarge,
  },
  {
    name: 'sixty levels of long names that exceed any path limit',
    build: (origin) => putLevels(origin, 60, 1, 'n'.repeat(250)),
    expect: readable([]),
  },
  { name: 'a directory of 99,999 files', build: flat(99_999), expect: readable(99_999) },
  { name: 'a directory of 100,001 files', build: flat(100_001), expect: tooLarge },
  { name: 'a 20 MiB tree object', build: flat(90_000, 210), expect: tooLarge },
  {
    name: 'a 70 MiB commit',
    build: (origin) => void putTree(origin, origin.store.tree([toFile(origin, 'a')]), `x ${' '.repeat(70 * MiB)}\n`),
    expect: tooLarge,
  },
  {
    name: 'a 20 MiB commit',
    build: (origin) => void putTree(origin, origin.store.tree([toFile(origin, 'a')]), `x ${' '.repeat(20 * MiB)}\n`),
    expect: readable(['a']),
  },
]
