import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scanPack } from '../objects/scan-pack.ts'
import { commitFiles, runGit } from '../test-support/fixture.ts'
import { commitTree, type HandMadeEntry, writeBlob, writeTree } from '../test-support/hand-made-tree.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { openWorkTree } from '../work-tree/open-work-tree.ts'

let host: Harness
let outside: string[]

beforeAll(async () => {
  host = await startHarness([{ path: 'README.md', content: 'read me\n' }])
  await open().then((snapshot) => snapshot[Symbol.asyncDispose]())
})
afterAll(() => host[Symbol.asyncDispose]())
beforeEach(() => {
  outside = readdirSync(join(host.cacheDir, '..')).sort()
})

function open(tenant = 't') {
  return host.mirrors.openSnapshot({ tenant, url: host.url, branch: 'main', token: host.token })
}

/** Opens and lists the repository, as a job does. Throws the first error. */
async function work(tenant: string): Promise<string[]> {
  await using snapshot = await open(tenant)
  const tree = await openWorkTree({ snapshot })
  return (await tree.list()).map((entry) => entry.path)
}

const file = (name: string | Buffer): HandMadeEntry => ({ mode: '100644', name, content: 'x' })

// `parse-tree.test.ts` lists all kinds.
const hostile: [string, readonly HandMadeEntry[], string][] = [
  ['a directory ..', [{ mode: '40000', name: '..', tree: [file('hooks')] }], 'hostile_tree'],
  ['mode 10644', [{ ...file('a'), mode: '10644' }], 'unreadable_tree'],
]

describe('a repository that contains', () => {
  it.each(hostile)('%s is rejected, with and without an existing mirror', async (name, entries, code) => {
    commitTree(host.origin, writeTree(host.origin, entries))
    for (const tenant of ['t', `new ${name}`]) {
      const error = await work(tenant).then(
        () => null,
        (reason) => reason,
      )
      expect(error).toMatchObject({ name: 'RepositoryError', code })
      expect(error.message).not.toContain(host.cacheDir)
    }
    expect(readdirSync(join(host.cacheDir, '..')).sort()).toEqual(outside)
  })

  it('a name with a backslash is listed without that entry', async () => {
    commitTree(host.origin, writeTree(host.origin, [file('..\\..\\evil.md'), file('a.md')]))
    await using snapshot = await open()
    const tree = await openWorkTree({ snapshot })
    expect((await tree.list()).map((entry) => entry.path)).toEqual(['a.md'])
    await expect(tree.read('..\\..\\evil.md')).rejects.toMatchObject({ code: 'invalid_path' })
    expect(readdirSync(join(host.cacheDir, '..')).sort()).toEqual(outside)
  })

  it('1,000 nested directories is rejected for its depth', async () => {
    commitFiles(host.origin, 'deep', [{ path: `${'d/'.repeat(1_000)}d`, content: 'x' }])
    commitTree(host.origin, runGit(host.origin, ['rev-parse', 'deep^{tree}']))
    await expect(work('t')).rejects.toMatchObject({ code: 'too_large' })
    await expect(work('deep')).rejects.toMatchObject({ code: 'too_large' })
  })

  it('nine trees that represent 10^8 paths is rejected for its size', async () => {
    let tree = writeTree(
      host.origin,
      Array.from({ length: 10 }, (_, i) => file(`f${i}`)),
    )
    for (let i = 0; i < 8; i++) {
      const oid = tree
      tree = writeTree(
        host.origin,
        Array.from({ length: 10 }, (_, j) => ({ mode: '40000', name: `d${j}`, oid })),
      )
    }
    commitTree(host.origin, tree)
    await expect(work('t')).rejects.toMatchObject({ code: 'too_large' })
    await expect(work('bomb')).rejects.toMatchObject({ code: 'too_large' })
  })

  it('a tree with a missing object is rejected', async () => {
    // Git clients do not create trees with missing objects, so the test writes one directly.
    const tree = writeTree(host.origin, [{ mode: '40000', name: 'gone', oid: '1'.repeat(40) }])
    commitTree(host.origin, tree)
    await expect(work('t')).rejects.toMatchObject({ name: expect.stringMatching(/RepositoryError|GitHttpError/) })
  })
})

describe('symbolic links', () => {
  it('are text that cannot be changed, and no path leads through them', async () => {
    const link = (name: string, content: string): HandMadeEntry => ({ mode: '120000', name, content })
    const entries = [
      link('abs', '/etc/hostname'),
      link('dotgit', '.git/config'),
      {
        mode: '40000',
        name: 'sub',
        tree: [link('in', '../README.md'), link('sly', 'up/../../../x'), link('up', '../..')],
      },
      link('up', '../../..'),
    ] satisfies HandMadeEntry[]
    const readme: HandMadeEntry = { mode: '100644', name: 'README.md', oid: writeBlob(host.origin, 'read me\n') }
    commitTree(host.origin, writeTree(host.origin, [readme, ...entries]))
    await using snapshot = await open()
    const tree = await openWorkTree({ snapshot })
    expect(Buffer.from(await tree.read('abs')).toString()).toBe('/etc/hostname')
    await expect(tree.write('abs', Buffer.from('x'))).rejects.toMatchObject({ code: 'read_only' })
    await expect(tree.write('up/x.md', Buffer.from('x'))).rejects.toMatchObject({ code: 'exists' })
  })
})

describe('a pack', () => {
  const limits = {
    maxObjectBytes: 1_000,
    maxTotalBytes: 2_000,
    maxObjects: 10,
    maxDeltaDepth: 2,
    maxDeltaBytes: 500,
  }
  const seal = (count: number, ...parts: Buffer[]) => {
    const header = Buffer.from('5041434b0000000200000000', 'hex')
    header.writeUInt32BE(count, 8)
    const body = Buffer.concat([header, ...parts])
    return Buffer.concat([body, createHash('sha1').update(body).digest()])
  }
  const entry = (type: number, size: number, bytes: Buffer) => {
    const head = [(type << 4) | (size & 15)]
    for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
      head[head.length - 1] = (head[head.length - 1] ?? 0) | 128
      head.push(rest & 127)
    }
    return Buffer.concat([Buffer.from(head), deflateSync(bytes)])
  }

  it('is accepted if it is valid', async () => {
    const facts = await scanPack(seal(1, entry(3, 500, Buffer.alloc(500))), limits)
    expect(facts).toEqual({ count: 1, namedBases: new Map(), bases: new Map() })
  })

  it.each([
    ['declares an object above the limit', seal(1, entry(3, 1_001, Buffer.alloc(1_001))), 'too_large'],
    ['exceeds the total size limit', seal(3, ...[1, 2, 3].map(() => entry(3, 900, Buffer.alloc(900)))), 'too_large'],
    ['inflates to more than it declares', seal(1, entry(3, 10, Buffer.alloc(900_000))), 'corrupt_pack'],
    ['inflates to less than it declares', seal(1, entry(3, 600, Buffer.alloc(10))), 'corrupt_pack'],
    // A small delta with a base of 10 bytes and a result of 2^27 bytes (128 MiB).
    [
      'contains a delta that expands beyond the limit',
      seal(
        1,
        Buffer.concat([Buffer.from([0x75]), Buffer.alloc(20), deflateSync(Buffer.from([10, 128, 128, 128, 64]))]),
      ),
      'too_large',
    ],
    ['declares too many objects', seal(2, entry(3, 5, Buffer.alloc(5))), 'corrupt_pack'],
    ['declares too few objects', seal(1, entry(3, 5, Buffer.alloc(5)), entry(3, 5, Buffer.alloc(5))), 'corrupt_pack'],
    ['contains an unknown type', seal(1, entry(5, 5, Buffer.alloc(5))), 'corrupt_pack'],
    ['is not compressed', seal(1, Buffer.concat([Buffer.from([0x35]), Buffer.from('hello')])), 'corrupt_pack'],
    ['has a wrong checksum', Buffer.concat([seal(0).subarray(0, -1), Buffer.from([0])]), 'corrupt_pack'],
    ['is not a pack', Buffer.from('<html>'.repeat(20)), 'corrupt_pack'],
    ['is empty', Buffer.alloc(0), 'corrupt_pack'],
  ])('is rejected if it %s', async (_why, pack, code) => {
    await expect(scanPack(pack, limits)).rejects.toMatchObject({ code })
  })
})
