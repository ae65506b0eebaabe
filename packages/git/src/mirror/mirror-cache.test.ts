import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mirrors } from '../snapshot/open-mirrors.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { commitFiles, runGit } from '../test-support/fixture.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { openWorkTree } from '../work-tree/open-work-tree.ts'

const noise = (seed: number, bytes: number) => {
  let text = ''
  for (let i = 0; text.length < bytes; i++) text += `${createHash('sha256').update(`${seed} ${i}`).digest('base64')}\n`
  return text.slice(0, bytes)
}
const pages = Array.from({ length: 20 }, (_, i) => ({ path: `docs/d${i % 6}/page-${i}.md`, content: noise(i, 8_000) }))

function open(host: Harness, more: Partial<Parameters<Mirrors['openSnapshot']>[0]> = {}): Promise<Snapshot> {
  return host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token, ...more })
}

async function readAll(snapshot: Snapshot): Promise<string> {
  const tree = await openWorkTree({ snapshot })
  const hash = createHash('sha1')
  for (const { path } of await tree.list()) hash.update(path).update(await tree.read(path))
  return hash.digest('hex')
}

function listMirrorVersions(host: Harness): string[] {
  return readdirSync(host.cacheDir).flatMap((mirror) =>
    readdirSync(join(host.cacheDir, mirror))
      .filter((name) => name.startsWith('g-'))
      .map((name) => join(host.cacheDir, mirror, name)),
  )
}

const isFetch = (method: string | undefined, body: Buffer) => method === 'POST' && body.includes('command=fetch')

describe('the on-disk cache', () => {
  it('reports that it is not writable without revealing its path', async () => {
    await using host = await startHarness(pages.slice(0, 2))
    await (await open(host))[Symbol.asyncDispose]()
    const key = readdirSync(host.cacheDir)[0] ?? ''
    rmSync(join(host.cacheDir, key), { recursive: true })
    writeFileSync(join(host.cacheDir, key), 'in the way')
    const error = await open(host).catch((reason) => reason)
    expect(error).toMatchObject({ name: 'RepositoryError', code: 'build_failed' })
    expect(error.message).not.toContain(host.cacheDir)
  })

  const damage: [string, (dir: string) => void][] = [
    ['a truncated pack', (dir) => truncateSync(onePack(dir), 5_000)],
    ['a missing pack', (dir) => rmSync(onePack(dir))],
    ['a damaged index', (dir) => writeFileSync(onePack(dir).replace('.pack', '.idx'), 'nonsense')],
    ['a missing version', (dir) => rmSync(dir, { recursive: true })],
    ['a missing mirror.json', (dir) => rmSync(join(dir, 'mirror.json'))],
  ]
  const onePack = (dir: string) => {
    const name = readdirSync(join(dir, 'objects/pack')).find((file) => file.endsWith('.pack'))
    return join(dir, 'objects/pack', name ?? '')
  }

  it('is repaired by a process that encounters damage', async () => {
    await using host = await startHarness(pages.slice(0, 6))
    for (const [tenant, damageVersion] of damage) {
      const before = listMirrorVersions(host)
      const first = await open(host, { tenant })
      const digest = await readAll(first)
      await first[Symbol.asyncDispose]()
      const [version = ''] = listMirrorVersions(host).filter((dir) => !before.includes(dir))
      damageVersion(version)
      const { openMirrors } = await import('../snapshot/open-mirrors.ts')
      const log = { info: () => undefined, warn: () => undefined }
      await using mirrors = await openMirrors({ cacheDir: host.cacheDir, log, coldBuild: 'inline' })
      await using snapshot = await mirrors.openSnapshot({ tenant, url: host.url, branch: null, token: host.token })
      expect(await readAll(snapshot), tenant).toBe(digest)
    }
  })

  it('can be deleted while a snapshot is open', async () => {
    await using host = await startHarness(pages.slice(0, 6), { maxCachedBlobBytes: 1 })
    const log = { info: () => undefined, warn: () => undefined }
    const { openMirrors } = await import('../snapshot/open-mirrors.ts')
    await using mirrors = await openMirrors({ cacheDir: host.cacheDir, log, coldBuild: 'inline' })
    await using snapshot = await mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
    const tip = commitFiles(host.origin, 'main', [{ path: 'new.md', content: 'new\n' }])
    // Another process adds a pack that this process has not opened, and then the cache is deleted.
    await using other = await open(host)
    expect(other.commit).toBe(tip)
    rmSync(host.cacheDir, { recursive: true })
    const blob = runGit(host.origin, ['rev-parse', `${tip}:new.md`])
    expect((await snapshot.readBlob(runGit(host.origin, ['rev-parse', 'main~1:docs/d0/page-0.md']))).length).toBe(8_000)
    await using later = await mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
    expect((await later.readBlob(blob)).toString()).toBe('new\n')
  })

  it('rebuilds a mirror with many packs in the background and removes the unused old version', async () => {
    await using host = await startHarness(pages.slice(0, 6), { maxPacks: 3 })
    const held = await open(host)
    for (let i = 0; i < 3; i++) {
      commitFiles(host.origin, 'main', [{ path: 'n.md', content: `${i}\n` }])
      await (await open(host))[Symbol.asyncDispose]()
    }
    const [old] = listMirrorVersions(host)
    await host.mirrors.close()
    // Closing releases this process's leases and stops its background work. The next process
    // completes the rebuild.
    await held[Symbol.asyncDispose]()
    const { openMirrors } = await import('../snapshot/open-mirrors.ts')
    const messages: string[] = []
    let renewed: () => void = () => undefined
    const copied = new Promise<void>((resolve) => {
      renewed = resolve
    })
    const info = (_fields: object, message: string) => {
      messages.push(message)
      renewed()
    }
    const log = { info, warn: () => undefined }
    const mirrors = await openMirrors({ cacheDir: host.cacheDir, log, coldBuild: 'inline', maxPacks: 3 })
    const snapshot = await mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
    await copied
    expect(await readAll(snapshot)).toHaveLength(40)
    await snapshot[Symbol.asyncDispose]()
    await mirrors.close()
    expect(messages).toEqual(['repository copied'])
    await using last = await openMirrors({ cacheDir: host.cacheDir, log, coldBuild: 'inline', maxBytes: 1 })
    await using fresh = await last.openSnapshot({ tenant: 'x', url: host.url, branch: null, token: host.token })
    expect(fresh.commit).toHaveLength(40)
    expect(existsSync(old ?? '')).toBe(false)
  })

  it('evicts the least recently used mirrors to stay within its size limit, except those in use', async () => {
    await using host = await startHarness(pages, { maxBytes: 280_000 })
    const one = await open(host, { tenant: '1' })
    const two = await open(host, { tenant: '2' })
    await two[Symbol.asyncDispose]()
    const mirrors = () => listMirrorVersions(host).length
    expect(mirrors()).toBe(2)
    for (const mirror of readdirSync(host.cacheDir)) utimesSync(join(host.cacheDir, mirror, 'used'), 1, 1)
    await using _three = await open(host, { tenant: '3' })
    expect(mirrors()).toBe(2)
    expect(await readAll(one)).toHaveLength(40)
    await one[Symbol.asyncDispose]()
    await using two2 = await open(host, { tenant: '2' })
    expect(await readAll(two2)).toHaveLength(40)
  })
})

describe('concurrent jobs', () => {
  it('download a repository only once', async () => {
    await using host = await startHarness(pages)
    const snapshots = await Promise.all(Array.from({ length: 8 }, () => open(host)))
    expect(host.server.requests.filter((request) => request.bytesOut > 50_000)).toHaveLength(1)
    for (const snapshot of snapshots) await snapshot[Symbol.asyncDispose]()
  })

  it("can be aborted while they wait for another job's download", async () => {
    await using host = await startHarness(pages)
    const controller = new AbortController()
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let downloading: () => void = () => undefined
    const started = new Promise<void>((resolve) => {
      downloading = resolve
    })
    host.server.fault = {
      before: async (request, _response, body) => {
        if (isFetch(request.method, body)) {
          downloading()
          await held
        }
        return false
      },
    }
    const first = open(host)
    await started
    const second = open(host, { signal: controller.signal })
    controller.abort()
    await expect(second).rejects.toMatchObject({ code: 'aborted' })
    release()
    await using snapshot = await first
    expect(snapshot.commit).toHaveLength(40)
  })

  it('are rejected after the cache is closed', async () => {
    await using host = await startHarness(pages.slice(0, 2))
    await host.mirrors.close()
    await host.mirrors.close()
    await expect(open(host)).rejects.toMatchObject({ code: 'closed' })
  })
})
