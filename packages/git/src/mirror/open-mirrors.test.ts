import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scanPack } from '../objects/scan-pack.ts'
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
const pages = Array.from({ length: 30 }, (_, i) => ({ path: `docs/d${i % 6}/page-${i}.md`, content: noise(i, 8_000) }))

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

function listPacks(host: Harness): string[] {
  return listMirrorVersions(host).flatMap((dir) =>
    readdirSync(join(dir, 'objects/pack'))
      .filter((name) => name.endsWith('.pack'))
      .map((name) => join(dir, 'objects/pack', name)),
  )
}

const isFetch = (method: string | undefined, body: Buffer) => method === 'POST' && body.includes('command=fetch')
const fetchBytes = (host: Harness) => Math.max(...host.server.requests.map((request) => request.bytesOut))

describe('an update', () => {
  it('downloads only the changes on the same branch', async () => {
    await using host = await startHarness(pages)
    await using first = await open(host)
    expect(first.commit).toBe(runGit(host.origin, ['rev-parse', 'main']))
    expect(fetchBytes(host)).toBeGreaterThan(100_000)
    host.server.requests.length = 0
    const before = pages[7]?.content ?? ''
    const tip = commitFiles(host.origin, 'main', [{ path: 'docs/d1/page-7.md', content: `${before}one line\n` }])
    await using second = await open(host)
    expect(second.commit).toBe(tip)
    // The page itself is 8,000 bytes long, so only a delta can be this small.
    expect(fetchBytes(host)).toBeLessThan(3_000)
    expect(host.server.requests).toHaveLength(2)
    expect((await second.readBlob(runGit(host.origin, ['rev-parse', `${tip}:docs/d1/page-7.md`]))).toString()).toBe(
      `${before}one line\n`,
    )
    host.server.requests.length = 0
    await using third = await open(host)
    expect(third.commit).toBe(tip)
    expect(host.server.requests).toHaveLength(1)
  })

  it('downloads only the changes on a different branch', async () => {
    await using host = await startHarness(pages)
    await using _first = await open(host)
    runGit(host.origin, ['branch', 'next', 'main'])
    const tip = commitFiles(host.origin, 'next', [{ path: 'docs/d1/page-7.md', content: 'short\n' }])
    host.server.requests.length = 0
    await using second = await open(host, { branch: 'next' })
    expect(second).toMatchObject({ commit: tip, branch: 'next' })
    expect(fetchBytes(host)).toBeLessThan(3_000)
  })
})

describe('thin packs', () => {
  it('are completed, so that two packs never depend on each other', async () => {
    await using host = await startHarness(pages)
    const text = noise(500, 30_000)
    const versions = [`${text}a\n`, `${text}b\n`, `x\n${text}a\n`, `${text}b\nc\n`]
    for (let round = 0; round < 8; round++) {
      const content = round % 3 === 2 ? text : (versions[round % 4] ?? '')
      const changes = [0, 1, 2, 3].map((i) => ({ path: `docs/d${i}/moving.md`, content: `${i}\n${content}` }))
      commitFiles(host.origin, 'main', changes)
      await using snapshot = await open(host)
      await readAll(snapshot)
    }
    const packs = listPacks(host)
    expect(packs.length).toBeGreaterThan(5)
    const limits = { maxObjectBytes: 1e9, maxTotalBytes: 1e9, maxObjects: 1e6, maxDeltaDepth: 50, maxDeltaBytes: 1e9 }
    for (const pack of packs) expect((await scanPack(readFileSync(pack), limits)).namedBases.size).toBe(0)
    for (const dir of listMirrorVersions(host)) runGit(dir, ['fsck', '--full', '--strict'])
  })
})

describe('access to the cache', () => {
  it('requires a valid token even if a mirror exists', async () => {
    await using host = await startHarness(pages)
    await using _snapshot = await open(host)
    await expect(open(host, { token: 'ghs_wrong' })).rejects.toMatchObject({ code: 'unauthorized' })
    const commit = runGit(host.origin, ['rev-parse', 'main'])
    await expect(open(host, { token: null, commit })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('does not share mirrors between tenants', async () => {
    await using host = await startHarness(pages.slice(0, 3))
    await using _one = await open(host)
    await using _two = await open(host, { tenant: 'other' })
    expect(readdirSync(host.cacheDir)).toHaveLength(2)
  })

  it('does not store the token', async () => {
    await using host = await startHarness(pages.slice(0, 3))
    await using _one = await open(host)
    expect(() => runGit(host.cacheDir, ['grep', '--no-index', '-r', '-a', 'ghs_test'])).toThrow()
  })
})

describe('opening a commit', () => {
  it('opens a pinned commit even after the branch has moved, and downloads it if it is missing', async () => {
    await using host = await startHarness(pages)
    const pinned = runGit(host.origin, ['rev-parse', 'main'])
    commitFiles(host.origin, 'main', [{ path: 'docs/d1/page-7.md', content: 'later\n' }])
    await using snapshot = await open(host, { branch: 'main', commit: pinned })
    expect(snapshot.commit).toBe(pinned)
    const blob = runGit(host.origin, ['rev-parse', `${pinned}:docs/d1/page-7.md`])
    expect((await snapshot.readBlob(blob)).toString()).toBe(pages[7]?.content)
  })

  it('fails with commit_not_found if the commit does not exist', async () => {
    await using host = await startHarness(pages.slice(0, 3))
    const error = await open(host, { branch: 'main', commit: '1'.repeat(40) }).catch((reason) => reason)
    expect(error).toMatchObject({ name: 'RepositoryError', code: 'commit_not_found' })
  })

  it('looks up the branch again if it is force-pushed before the download', async () => {
    await using host = await startHarness(pages.slice(0, 3))
    await using _first = await open(host)
    const gone = commitFiles(host.origin, 'main', [{ path: 'a.md', content: 'gone\n' }])
    const first = runGit(host.origin, ['rev-parse', 'main~1'])
    let tip = ''
    host.server.fault = {
      before: (request, _response, body) => {
        if (tip === '' && isFetch(request.method, body)) {
          runGit(host.origin, ['update-ref', 'refs/heads/main', first])
          tip = commitFiles(host.origin, 'main', [{ path: 'b.md', content: 'here\n' }])
          runGit(host.origin, ['gc', '--prune=now', '--quiet'])
        }
        return false
      },
    }
    await using snapshot = await open(host)
    expect(snapshot.commit).toBe(tip)
    expect(tip).not.toBe(gone)
  })

  it('fails with a specific code for an empty repository and for an unknown branch', async () => {
    await using host = await startHarness([])
    await expect(open(host)).rejects.toMatchObject({ code: 'empty_repository' })
    await expect(open(host, { branch: 'nope' })).rejects.toMatchObject({ code: 'branch_not_found' })
  })
})

describe('large files', () => {
  const large = { path: 'docs/large.json', content: noise(900, 50_000) }

  it('are downloaded once, when they are first read', async () => {
    await using host = await startHarness(
      [...pages.slice(0, 5), large, { path: 'b.json', content: noise(901, 40_000) }],
      {
        blobLimit: 20_000,
      },
    )
    await using snapshot = await open(host)
    expect(fetchBytes(host)).toBeLessThan(45_000)
    const small = await openWorkTree({ snapshot, limits: { maxFileBytes: 10_000 } })
    host.server.requests.length = 0
    await expect(small.read('docs/large.json')).rejects.toMatchObject({ code: 'too_large' })
    expect(host.server.requests).toHaveLength(0)
    const tree = await openWorkTree({ snapshot })
    const both = await Promise.all([tree.read('docs/large.json'), tree.read('b.json'), tree.read('docs/large.json')])
    expect(Buffer.from(both[0]).toString()).toBe(large.content)
    expect(host.server.requests).toHaveLength(1)
    await using again = await open(host)
    await (await openWorkTree({ snapshot: again })).read('b.json')
    expect(host.server.requests).toHaveLength(2)
  })

  it('are downloaded immediately from a host without filters', async () => {
    await using host = await startHarness([large], { blobLimit: 20_000 })
    runGit(host.origin, ['config', 'uploadpack.allowFilter', 'false'])
    await using snapshot = await open(host)
    host.server.requests.length = 0
    await (await openWorkTree({ snapshot })).read('docs/large.json')
    expect(host.server.requests).toHaveLength(0)
  })

  it('are rejected without being inflated if they exceed the object size limit', async () => {
    await using host = await startHarness([{ path: 'zeros.bin', content: Buffer.alloc(3_000_000) }], {
      blobLimit: null,
      limits: { pack: { maxObjectBytes: 1_000_000 } },
    })
    await expect(open(host)).rejects.toMatchObject({ name: 'RepositoryError', code: 'too_large' })
    expect(listMirrorVersions(host)).toEqual([])
    // Only the branch is looked up again, and nothing is downloaded.
    host.server.requests.length = 0
    await expect(open(host)).rejects.toMatchObject({ name: 'RepositoryError', code: 'too_large' })
    expect(fetchBytes(host)).toBeLessThan(1_000)
    expect(host.server.requests).toHaveLength(1)
  })
})

describe('a host that supports only protocol v1', () => {
  it('serves downloads and small updates', async () => {
    await using host = await startHarness(pages)
    host.server.fault = {
      before: (request) => {
        delete request.headers['git-protocol']
        return false
      },
    }
    await using first = await open(host)
    const digest = await readAll(first)
    commitFiles(host.origin, 'main', [{ path: 'docs/d1/page-7.md', content: `${pages[7]?.content}more\n` }])
    host.server.requests.length = 0
    await using second = await open(host)
    expect(await readAll(second)).not.toBe(digest)
    expect(fetchBytes(host)).toBeLessThan(3_000)
  })
})
