import type { HostileOrigin } from './hostile-host.ts'
import {
  buildAppendDelta,
  hashAs,
  sealPack,
  toDeltaSize,
  toNamedDeltaEntry,
  toPack,
  toPackEntry,
} from './hostile-objects.ts'
import { buildGoodOrigin, goodPage, type HostileRow, putEntries, readable, refused, toFile } from './hostile-row.ts'

/**
 * Builds a row with a delta whose base is a page of the valid version. A first download does not
 * have that page.
 */
function thin(name: string, delta: () => Buffer, after: Buffer, expectUpdate: HostileRow['expect']): HostileRow {
  return {
    name: `thin: ${name}`,
    build(origin) {
      const { page } = buildGoodOrigin(origin)
      origin.store.objects.clear()
      putEntries(origin, [{ mode: '100644', name: 'page.md', oid: hashAs('blob', after) }])
      const good = [...origin.store.objects.values()].map(toPackEntry)
      const pack = sealPack([...good, toNamedDeltaEntry(page, delta())])
      origin.pack = () => pack
    },
    expect: refused('corrupt_pack', 'too_large'),
    expectUpdate,
  }
}

const size = goodPage.length
const more = Buffer.from('one more line\n')
/** Builds a delta that repeats the whole page. */
function buildRepeat(times: number): Buffer {
  const copy = Buffer.from([0b10110000, size & 255, size >> 8])
  return Buffer.concat([toDeltaSize(size), toDeltaSize(size * times), ...Array.from({ length: times }, () => copy)])
}

/**
 * Builds a row whose host omits a blob larger than the limit of the requested filter. `answer`
 * builds the response to a request for the blob.
 */
function lazy(
  name: string,
  content: Buffer,
  expect: HostileRow['expect'],
  answer: (origin: HostileOrigin, oid: string) => Buffer,
): HostileRow {
  return {
    name: `lazy: ${name}`,
    lazyPath: 'large.bin',
    build(origin) {
      const oid = origin.store.blob(content)
      origin.store.objects.delete(oid)
      putEntries(origin, [toFile(origin, 'a.md'), { mode: '100644', name: 'large.bin', oid }])
      const first = toPack(origin.store.objects.values())
      origin.pack = ({ wants }) => (wants.includes(oid) ? answer(origin, oid) : first)
    },
    expect,
  }
}

const large = Buffer.alloc(3 * 1024 * 1024, 'large')
const zeros = (bytes: number) => Buffer.alloc(bytes)
const toBlob = (bytes: Buffer) => toPackEntry({ oid: '', type: 'blob', bytes })
const missing = refused('object_not_found')

export const thinRows: readonly HostileRow[] = [
  thin('a valid delta', () => buildAppendDelta(size, more), Buffer.concat([goodPage, more]), readable(['page.md'])),
  thin(
    'a delta that declares 2 GiB',
    () => Buffer.concat([toDeltaSize(size), toDeltaSize(2 ** 31)]),
    more,
    refused('too_large'),
  ),
  thin(
    'a delta whose base has a different size',
    () => buildAppendDelta(size + 5, more),
    more,
    refused('corrupt_pack'),
  ),
  thin(
    'a delta that repeats the page 2,000 times',
    () => buildRepeat(2_000),
    Buffer.concat(Array.from({ length: 2_000 }, () => goodPage)),
    readable(['page.md']),
  ),
  thin('a delta that repeats the page 10,000 times', () => buildRepeat(10_000), more, refused('too_large')),
  thin(
    'a delta with 400,000 instructions',
    () => {
      const ops = Buffer.concat(Array.from({ length: 400_000 }, () => Buffer.from([0b10010000, 1])))
      return Buffer.concat([toDeltaSize(size), toDeltaSize(400_000), ops])
    },
    Buffer.alloc(400_000, goodPage.subarray(0, 1)),
    readable(['page.md']),
  ),
]

export const lazyRows: readonly HostileRow[] = [
  lazy('the requested blob', large, readable(['a.md', 'large.bin']), () => sealPack([toBlob(large)])),
  lazy('a different blob', large, missing, () => sealPack([toBlob(Buffer.from('other'))])),
  lazy('an empty pack', large, missing, () => sealPack([])),
  lazy('150 MiB of zeros', zeros(150 * 1024 * 1024), refused('too_large'), () =>
    sealPack([toBlob(zeros(150 * 1024 * 1024))]),
  ),
  lazy('60 MiB of zeros, below the limit', zeros(60 * 1024 * 1024), readable(['a.md', 'large.bin']), () =>
    sealPack([toBlob(zeros(60 * 1024 * 1024))]),
  ),
  lazy('20,000 additional objects', large, readable(['a.md', 'large.bin']), () =>
    sealPack([toBlob(large), ...Array.from({ length: 20_000 }, (_, i) => toBlob(Buffer.from(String(i))))]),
  ),
  lazy('a chain of deltas without a base', large, refused('corrupt_pack'), () =>
    sealPack([toNamedDeltaEntry('7'.repeat(40), buildAppendDelta(10, Buffer.from('x')))]),
  ),
]
