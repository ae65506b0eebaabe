import { watch, writeFileSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commitFiles } from '../test-support/fixture.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { evictMirrors } from './evict-mirrors.ts'
import { type FetchedPack, fetchObjects } from './fetch-objects.ts'
import { createMirrorVersion, type MirrorVersion, openMirrorVersion } from './mirror-version.ts'
import { leaseMirrorVersion } from './mirror-version-lease.ts'
import { writeAtomically } from './write-atomically.ts'

let host: Harness
let fetched: { pack: FetchedPack; commit: string }
let dir = ''
let version: MirrorVersion
let next = 0

beforeAll(async () => {
  host = await startHarness([{ path: 'a.md', content: 'a\n' }])
  const limits = { maxObjectBytes: 1e6, maxTotalBytes: 1e6, maxObjects: 100, maxDeltaDepth: 10, maxDeltaBytes: 1e6 }
  const commit = commitFiles(host.origin, 'main', [{ path: 'a.md', content: 'b\n' }])
  const http = { url: host.url, token: host.token }
  const request = { http, wants: [commit], haves: [], depth: 1, blobLimit: null, below: null } as const
  const pack = await fetchObjects({ ...request, limits })
  if (!pack) throw new Error('no pack was fetched')
  fetched = { pack, commit }
})
beforeEach(async () => {
  dir = join(host.cacheDir, `mirror-${++next}`, 'g-1')
  await createMirrorVersion(dir, null)
  version = await openMirrorVersion(dir)
})
afterEach(() => version.close())
afterAll(() => host[Symbol.asyncDispose]())

const list = (folder: string) => readdir(join(dir, folder))

describe('publishing', () => {
  it('adds the pack, its index, the shallow list and the tip', async () => {
    const { pack, commit } = fetched
    await version.publish(pack, { name: 'branch main', commit })
    expect(await list('objects/pack')).toEqual([`pack-${pack.name}.idx`, `pack-${pack.name}.pack`])
    expect(await readFile(join(dir, 'shallow'), 'utf8')).toBe(`${commit}\n`)
    expect(await version.listTips()).toEqual([commit])
    expect((await version.readObject(commit)).bytes.toString()).toMatch(/^tree /)
  })

  it('adds neither an index nor a tip if the pack cannot be written', async () => {
    const { pack, commit } = fetched
    await mkdir(join(dir, `objects/pack/pack-${pack.name}.pack`))
    await expect(version.publish(pack, { name: 'branch main', commit })).rejects.toThrow()
    expect(await list('objects/pack')).toEqual([`pack-${pack.name}.pack`])
    expect(await list('refs/tips')).toEqual([])
    expect(await list('.')).not.toContain('shallow')
  })

  it('does not add a tip if the index cannot be written', async () => {
    const { pack, commit } = fetched
    await mkdir(join(dir, `objects/pack/pack-${pack.name}.idx`))
    await expect(version.publish(pack, { name: 'branch main', commit })).rejects.toThrow()
    expect(await list('refs/tips')).toEqual([])
    expect(await list('.')).not.toContain('shallow')
  })

  it('does not add a tip if the shallow list cannot be written', async () => {
    const { pack, commit } = fetched
    await mkdir(join(dir, 'shallow'))
    await expect(version.publish(pack, { name: 'branch main', commit })).rejects.toThrow()
    expect(await list('refs/tips')).toEqual([])
    expect((await openMirrorVersion(dir)).has(commit)).toBe(true)
  })

  it('keeps a commit that another process adds while the shallow list is being written', async () => {
    const { pack, commit } = fetched
    const other = 'f'.repeat(40)
    // The temporary file appears after the commits are read and before the list is renamed.
    using watcher = watchFor(dir, /^tmp_/, () => writeFileSync(join(dir, 'shallows', other), ''))
    await version.publish(pack, { name: 'branch main', commit })
    expect(watcher.seen()).toBe(true)
    expect((await readFile(join(dir, 'shallow'), 'utf8')).trim().split('\n')).toEqual([commit, other])
  })
})

function watchFor(folder: string, name: RegExp, act: () => void) {
  let seen = false
  const watcher = watch(folder, (_event, file) => {
    if (seen || file === null || !name.test(file)) return
    seen = true
    act()
  })
  return { seen: () => seen, [Symbol.dispose]: () => watcher.close() }
}

describe('writing a file', () => {
  it('does not affect a process that is already reading the file', async () => {
    const path = join(dir, 'file')
    await writeFile(path, 'old and long')
    await link(path, `${path}.reader`)
    await writeAtomically(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readFile(`${path}.reader`, 'utf8')).toBe('old and long')
  })

  it('leaves no temporary file if it fails', async () => {
    await mkdir(join(dir, 'taken'))
    await expect(writeAtomically(join(dir, 'taken'), 'x')).rejects.toThrow()
    expect((await list('.')).filter((name) => name.startsWith('tmp'))).toEqual([])
  })
})

describe('eviction', () => {
  it('keeps a leased version and a version that is being built', async () => {
    await version.publish(fetched.pack, null)
    expect(await evictMirrors(host.cacheDir, 0)).not.toContain(dir)
    const lease = await leaseMirrorVersion(dir)
    await rm(join(dir, 'leases/birth'))
    expect(await evictMirrors(host.cacheDir, 0)).not.toContain(dir)
    await lease.release()
    expect(await evictMirrors(host.cacheDir, 0)).toContain(dir)
    await expect(leaseMirrorVersion(dir)).rejects.toThrow()
  })
})
