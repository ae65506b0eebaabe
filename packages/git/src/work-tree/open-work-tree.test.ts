import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCommit } from '../commit/build-commit.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { MOTLEY_FILES, runEditScript } from '../test-support/edit-scripts.ts'
import { commitFiles } from '../test-support/fixture.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { openWorkTree, type WorkTree } from './open-work-tree.ts'
import type { OverlayEntry } from './overlay.ts'

let host: Harness
let snapshot: Snapshot
let tree: WorkTree

beforeAll(async () => {
  const pointer = MOTLEY_FILES.find((file) => file.path === 'img/logo.png')?.content ?? ''
  host = await startHarness([...MOTLEY_FILES, { path: 'data/stray.bin', content: pointer }])
  snapshot = await open()
})
beforeEach(async () => {
  tree = await openWorkTree({ snapshot })
})
afterAll(async () => {
  await snapshot[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

const open = () => host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
const bytes = (text: string) => Buffer.from(text)
const read = async (path: string) => Buffer.from(await tree.read(path)).toString()
const paths = async () => (await tree.list()).map((entry) => entry.path)
const refuses = (promise: Promise<unknown>, code: string) =>
  expect(promise).rejects.toMatchObject({ name: 'WorkspaceError', code })

describe('list', () => {
  it('is sorted by code unit, unlike in git', async () => {
    const all = await paths()
    expect(all).toEqual([...all].sort())
    expect(all).toHaveLength(MOTLEY_FILES.length + 1)
    // The astral character follows U+FFEE in byte order but precedes it in code-unit order.
    expect(all.indexOf('docs/\u{1f600}.md')).toBeLessThan(all.indexOf('docs/\uffee.md'))
  })

  it('contains the kind of each path', async () => {
    const kinds = new Map(
      (await tree.list()).map((entry) => [entry.path, `${entry.kind}${entry.executable ? ' x' : ''}`]),
    )
    expect(kinds.get('README.md')).toBe('file')
    expect(kinds.get('scripts/run.sh')).toBe('file x')
    expect(kinds.get('docs/link.md')).toBe('symlink')
    expect(kinds.get('vendor/theme')).toBe('submodule')
    expect(kinds.get('img/logo.png')).toBe('lfs')
  })

  it('contains the edits, but the base list does not', async () => {
    const before = await paths()
    await tree.write('docs/b.md', bytes('b'))
    await tree.remove('docs/a.md')
    await tree.move('README.md', 'docs/readme.md')
    const now = await paths()
    expect(now).toEqual([...now].sort())
    expect(now).toEqual(expect.arrayContaining(['docs/b.md', 'docs/readme.md']))
    expect(now).not.toContain('docs/a.md')
    expect((await tree.listBase()).map((entry) => entry.path)).toEqual(before)
  })
})

describe('find and read', () => {
  it('return files and links, but not directories', async () => {
    expect(await tree.find('README.md')).toMatchObject({ path: 'README.md', kind: 'file', executable: false })
    expect(await read('README.md')).toBe('# Read me\n')
    expect(await tree.find('docs')).toBeNull()
    expect(await tree.find('nope.md')).toBeNull()
    expect(await read('docs/link.md')).toBe('../README.md')
    expect(await tree.find('data/stray.bin')).toMatchObject({ kind: 'lfs' })
  })

  it('preserve line endings and bytes', async () => {
    expect(await read('docs/a/two.md')).toBe('two\r\nlines\r\n')
    expect([...(await tree.read('img/plain.bin'))]).toEqual([0, 255, 10, 13, 200])
  })

  it('fail with a specific error code', async () => {
    await refuses(tree.read('nope.md'), 'not_found')
    await refuses(tree.read('docs'), 'is_directory')
    await refuses(tree.read('vendor/theme'), 'not_a_file')
    await refuses(tree.read('../etc/passwd'), 'invalid_path')
    await refuses(tree.read('.git/config'), 'invalid_path')
  })

  it('distinguish the base from the current state', async () => {
    await tree.write('README.md', bytes('new\n'))
    expect(await read('README.md')).toBe('new\n')
    expect(Buffer.from((await tree.readBase('README.md')) ?? []).toString()).toBe('# Read me\n')
    expect(await tree.readBase('nope.md')).toBeNull()
    expect(await tree.readBase('vendor/theme')).toBeNull()
  })

  it('are not affected by later changes to the written buffer', async () => {
    const mine = bytes('mine\n')
    await tree.write('README.md', mine)
    mine.fill(0)
    expect(await read('README.md')).toBe('mine\n')
  })
})

describe('write, remove and move', () => {
  it('preserve modes', async () => {
    await tree.write('scripts/run.sh', bytes('#!/bin/sh\nnew\n'))
    await tree.move('scripts/sub/also.sh', 'scripts/moved.sh')
    await tree.remove('docs/a.md')
    await tree.write('docs/new.md', bytes('new'))
    expect(tree.overlay().map(({ path, mode, content }) => [path, mode, content !== null])).toEqual([
      ['docs/a.md', '100644', false],
      ['docs/new.md', '100644', true],
      ['scripts/moved.sh', '100755', true],
      ['scripts/run.sh', '100755', true],
      ['scripts/sub/also.sh', '100755', false],
    ])
  })

  it('restore a removed file with its mode', async () => {
    await tree.remove('scripts/run.sh')
    await refuses(tree.read('scripts/run.sh'), 'not_found')
    await tree.write('scripts/run.sh', bytes('again\n'))
    expect(await tree.find('scripts/run.sh')).toMatchObject({ executable: true })
    await tree.write('scripts/run.sh', bytes('#!/bin/sh\n'))
    expect(await tree.changes()).toEqual([])
  })

  it('leave no changes after they are reverted', async () => {
    await tree.move('README.md', 'docs/x.md')
    await tree.move('docs/x.md', 'README.md')
    expect(tree.overlay()).toEqual([])
    await tree.write('x.md', bytes('x'))
    await tree.remove('x.md')
    expect(tree.overlay()).toEqual([])
  })

  it('allow a file to replace an empty directory, and a directory to replace a file', async () => {
    await refuses(tree.write('docs/a', bytes('x')), 'is_directory')
    await tree.remove('docs/a/one.md')
    await tree.remove('docs/a/two.md')
    await tree.write('docs/a', bytes('x'))
    await refuses(tree.write('docs/a/one.md', bytes('x')), 'exists')
    await tree.move('docs/a.md', 'docs/a.md/inner.md')
    expect(await read('docs/a.md/inner.md')).toBe('a\n')
    await refuses(tree.write('docs/a.md', bytes('x')), 'is_directory')
  })

  it('are rejected for links, submodules and LFS pointers', async () => {
    for (const path of ['docs/link.md', 'docs/out', 'vendor/theme', 'img/logo.png', 'data/stray.bin']) {
      await refuses(tree.write(path, bytes('x')), 'read_only')
      await refuses(tree.remove(path), 'read_only')
      await refuses(tree.move(path, 'x.md'), 'read_only')
    }
    await refuses(tree.write('vendor/theme/x.md', bytes('x')), 'exists')
    await refuses(tree.write('docs/out/x.md', bytes('x')), 'exists')
    expect(tree.overlay()).toEqual([])
  })

  it('are rejected for invalid paths', async () => {
    for (const path of ['../x', '/x', '.git/hooks/x', 'git~1/x', 'a\\b', 'docs/x.', 'a\nb', '']) {
      await refuses(tree.write(path, bytes('x')), 'invalid_path')
      await refuses(tree.move('README.md', path), 'invalid_path')
    }
    expect(await read('README.md')).toBe('# Read me\n')
    expect(tree.overlay()).toEqual([])
  })

  it('are rejected for existing targets and missing files', async () => {
    await refuses(tree.move('README.md', 'docs.json'), 'exists')
    await refuses(tree.move('nope.md', 'x.md'), 'not_found')
    await refuses(tree.move('docs', 'x'), 'is_directory')
    await refuses(tree.remove('docs'), 'is_directory')
    await refuses(tree.remove('nope.md'), 'not_found')
  })

  it('are rejected if they exceed the limits', async () => {
    const limits = { maxFileBytes: 10, maxOverlayBytes: 15, maxChangedFiles: 3 }
    const small = await openWorkTree({ snapshot, limits })
    await refuses(small.write('x.md', bytes('12345678901')), 'too_large')
    await refuses(small.read('docs/a/two.md'), 'too_large')
    await small.write('x.md', bytes('1234567890'))
    await refuses(small.write('y.md', bytes('123456')), 'too_large')
    await small.write('y.md', bytes('1'))
    await small.write('z.md', bytes('1'))
    await refuses(small.remove('README.md'), 'too_many_changes')
    await small.write('z.md', bytes('2'))
    expect(small.overlay()).toHaveLength(3)
  })
})

describe('changes', () => {
  it('contain the paths whose bytes or existence differ', async () => {
    await tree.write('docs/new.md', bytes('new'))
    await tree.write('docs/a.md', bytes('other'))
    await tree.remove('docs.json')
    const changes = (await tree.changes()).map(({ path, kind, before, after }) => [
      path,
      kind,
      before && Buffer.from(before).toString(),
      after && Buffer.from(after).toString(),
    ])
    expect(changes).toEqual([
      ['docs.json', 'deleted', '{}\n', null],
      ['docs/a.md', 'modified', 'a\n', 'other'],
      ['docs/new.md', 'added', null, 'new'],
    ])
  })
})

describe('the overlay', () => {
  it('reports the changes since the last call to takeDirty', async () => {
    await tree.write('b.md', bytes('b'))
    await tree.remove('docs.json')
    expect(tree.takeDirty().map((entry) => entry.path)).toEqual(['b.md', 'docs.json'])
    expect(tree.takeDirty()).toEqual([])
    await tree.write('docs.json', bytes('{}\n'))
    await tree.remove('b.md')
    await tree.write('c.md', bytes('c'))
    expect(tree.takeDirty()).toEqual([
      { path: 'b.md', reverted: true },
      { path: 'c.md', mode: '100644', content: new Uint8Array(bytes('c')) },
      { path: 'docs.json', reverted: true },
    ])
  })

  it('produces the same commit after it is stored step by step and reopened', async () => {
    for (let seed = 1000; seed < 1030; seed++) {
      const first = await openWorkTree({ snapshot })
      const kept = new Map<string, OverlayEntry>()
      for (let step = 0; step < 3; step++) {
        await runEditScript(first, seed * 7 + step)
        for (const entry of first.takeDirty()) {
          if ('reverted' in entry) kept.delete(entry.path)
          else kept.set(entry.path, entry)
        }
      }
      const again = await openWorkTree({ snapshot, overlay: [...kept.values()] })
      expect(again.overlay()).toEqual(first.overlay())
      expect(again.takeDirty()).toEqual([])
      expect(await again.list()).toEqual(await first.list())
      const who = { name: 'a', email: 'b' }
      const build = (from: WorkTree) =>
        buildCommit({ snapshot, changes: from.overlay(), message: 'x', author: who, committer: who, timestamp: 1 })
      expect((await build(again))?.commit).toBe((await build(first))?.commit)
    }
  })

  it('is validated when it is reopened', async () => {
    const overlay: OverlayEntry[] = [{ path: '../x', mode: '100644', content: bytes('x') }]
    await refuses(openWorkTree({ snapshot, overlay }), 'invalid_path')
  })
})

it('the work tree stays at its commit when the branch moves', async () => {
  const tip = commitFiles(host.origin, 'main', [{ path: 'README.md', content: 'moved on\n' }])
  await using later = await open()
  expect(later.commit).toBe(tip)
  expect(await read('README.md')).toBe('# Read me\n')
})
