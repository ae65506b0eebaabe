import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_OBJECT } from './host/types.ts'
import { files, openTestHost, type TestHost } from './test-support/open-test-host.ts'

let t: TestHost
beforeAll(async () => {
  t = await openTestHost()
})
afterAll(() => t.close())

const basic = (secret: string, user = 'x-access-token') => ({
  authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
})
const advertise = (full: string, headers: Record<string, string>, service = 'git-upload-pack') =>
  fetch(`${t.host.url}/${full}/info/refs?service=${service}`, { headers, redirect: 'manual' })
const clone = (name: string, full = 'acme/docs', ...args: string[]) =>
  t.git(t.scratch, 'clone', '--quiet', ...args, t.remote(full), name).then(() => join(t.scratch, name))

describe('fetch', () => {
  it('clones a repository with and without .git in the URL', async () => {
    const dir = await clone('plain')
    expect(await readFile(join(dir, 'index.md'), 'utf8')).toBe('# Hello\n')
    await t.git(t.scratch, 'clone', '--quiet', t.remote('acme/docs').replace(/\.git$/, ''), 'bare-name')
    expect(await t.git(join(t.scratch, 'bare-name'), 'log', '--format=%s')).toBe('Second page\nStart')
  })

  it('needs no token for reading a public repository, and one for all others and for pushes', async () => {
    await t.host.createRepository('acme/open', { commits: [{ message: 'Start', files: files({ 'a.md': 'a\n' }) }] })
    const status = async (service?: string) => (await advertise('acme/open', {}, service)).status
    expect(await status()).toBe(401)
    t.host.makePublic('acme/open')
    expect([await status(), await status('git-receive-pack')]).toEqual([200, 401])
    await t.git(t.scratch, 'clone', '--quiet', `${t.host.url}/acme/open`, 'anonymous')
    expect((await advertise('acme/open', basic('wrong'))).status).toBe(401)
  })

  it('supports shallow and partial clones and fetches of any object ID', async () => {
    const dir = await clone('partial', 'acme/docs', '--depth=1', '--filter=blob:none', '--no-checkout')
    expect(await t.git(dir, 'rev-list', '--count', 'HEAD')).toBe('1')
    expect(await t.git(dir, 'config', 'remote.origin.partialclonefilter')).toBe('blob:none')
    const first = await t.host.git('acme/docs', 'rev-parse', 'main~1')
    // Version 2 always allows fetching any object. Version 0 requires a capability.
    await t.git(dir, '-c', 'protocol.version=0', 'fetch', '--quiet', '--depth=1', 'origin', first)
    expect(await t.git(dir, 'cat-file', '-t', first)).toBe('commit')
  })

  it('uses protocol version 2 on request and version 0 otherwise', async () => {
    const v2 = await advertise('acme/docs', { ...basic(t.host.token), 'git-protocol': 'version=2' })
    expect(await v2.text()).toContain('version 2')
    const v0 = await (await advertise('acme/docs', basic(t.host.token))).text()
    expect(v0).toContain('refs/heads/main')
    expect(v0).toContain('filter')
  })

  it('accepts a compressed request body', async () => {
    const body = gzipSync('0014command=ls-refs\n0000')
    const response = await fetch(`${t.host.url}/acme/docs.git/git-upload-pack`, {
      method: 'POST',
      body,
      headers: {
        ...basic(t.host.token),
        'git-protocol': 'version=2',
        'content-encoding': 'gzip',
        'content-type': 'application/x-git-upload-pack-request',
      },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('refs/heads/main')
  })

  it('does not serve the dumb protocol', async () => {
    expect((await fetch(`${t.host.url}/acme/docs/info/refs`, { headers: basic(t.host.token) })).status).toBe(403)
    const head = await fetch(`${t.host.url}/acme/docs.git/HEAD`, { headers: basic(t.host.token) })
    expect(head.status).toBe(404)
    expect(await head.text()).not.toContain('refs/heads/main')
  })
})

describe('credentials', () => {
  it.each([
    ['a request without credentials', {}],
    ['a wrong token', basic('ghp_wrong')],
    ['an empty token', basic('')],
    ['a different user name', basic('TOKEN', 'someone')],
  ])('responds to %s with 401 and a challenge', async (_, headers) => {
    const authorization = 'authorization' in headers ? headers.authorization : undefined
    const sent = authorization === basic('TOKEN', 'someone').authorization ? basic(t.host.token, 'someone') : headers
    const response = await advertise('acme/docs', sent as Record<string, string>)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="GitHub"')
  })

  it('does not reveal to unauthenticated clients that a repository exists', async () => {
    const [there, absent] = await Promise.all([advertise('acme/docs', {}), advertise('acme/absent', {})])
    expect(there.status).toBe(absent.status)
    expect(await there.text()).toBe(await absent.text())
  })

  it('responds with 404 to unknown paths and paths outside the root', async () => {
    for (const full of ['acme/absent', '.git-host/hooks', 'acme/..%2f..%2fetc', 'acme/docs.git%2f..%2fother']) {
      expect((await advertise(full, basic(t.host.token))).status, full).toBe(404)
    }
  })

  it('never records the credential', async () => {
    await advertise('acme/docs', basic(t.host.token))
    expect(JSON.stringify(t.host.requests)).not.toContain(t.host.token)
  })
})

describe('push', () => {
  it('accepts pushes and records ref updates, including forced ones', async () => {
    const dir = await clone('pusher')
    await writeFile(join(dir, 'index.md'), '# Changed\n')
    await t.git(dir, 'commit', '--quiet', '-am', 'Change')
    await t.git(dir, 'push', '--quiet', 'origin', 'HEAD:refs/heads/topic')
    const pushed = await t.git(dir, 'rev-parse', 'HEAD')
    expect(await t.host.git('acme/docs', 'rev-parse', 'topic')).toBe(pushed)
    const ref = 'refs/heads/topic'
    const expected = { repo: 'acme/docs', ref, old: NO_OBJECT, new: pushed, forced: false, via: 'push' }
    expect(t.host.stats().refUpdates).toContainEqual({ ...expected, at: expect.any(Number) })

    await t.git(dir, 'commit', '--quiet', '--amend', '-m', 'Rewritten')
    await expect(t.git(dir, 'push', '--quiet', 'origin', 'HEAD:topic')).rejects.toThrow(/rejected/)
    await t.git(dir, 'push', '--quiet', '--force', 'origin', 'HEAD:topic')
    expect(t.host.stats().forced).toMatchObject([{ ref, old: pushed, via: 'push' }])
    await t.git(dir, 'push', '--quiet', 'origin', ':topic')
    expect(t.host.stats().refUpdates.at(-1)).toMatchObject({ ref, new: NO_OBJECT, forced: false })
  })

  it('accepts a large push in chunks', async () => {
    const dir = await clone('large')
    const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919 + (i >> 7) * 104_729) & 255))
    await writeFile(join(dir, 'noise.bin'), noise)
    await t.git(dir, 'add', '.')
    await t.git(dir, 'commit', '--quiet', '-m', 'Noise')
    await t.git(
      dir,
      '-c',
      'http.postBuffer=1024',
      '-c',
      'core.compression=0',
      'push',
      '--quiet',
      'origin',
      'HEAD:large',
    )
    expect(await t.host.git('acme/docs', 'cat-file', '-s', 'large:noise.bin')).toBe('3000000')
  })

  it('rejects only the push to a protected branch', async () => {
    t.host.protect('acme/docs', 'main')
    const dir = await clone('protected')
    await t.git(dir, 'commit', '--quiet', '--allow-empty', '-m', 'Direct')
    const before = t.host.stats().refUpdates.length
    const refused = t.git(dir, 'push', 'origin', 'HEAD:main', 'HEAD:mainly')
    await expect(refused).rejects.toThrow(/GH006: Protected branch update failed for refs\/heads\/main\./)
    const added = t.host.stats().refUpdates.slice(before)
    expect(added.map((update) => update.ref)).toEqual(['refs/heads/mainly'])
  })

  it('rejects pushes to an archived repository but allows reads', async () => {
    const dir = await clone('archived', 'acme/other')
    t.host.archive('acme/other', true)
    await t.git(dir, 'commit', '--quiet', '--allow-empty', '-m', 'More')
    await expect(t.git(dir, 'push', 'origin', 'HEAD')).rejects.toThrow(/archived so it is read-only/)
    await t.git(dir, 'fetch', '--quiet')
    t.host.archive('acme/other', false)
    await t.git(dir, 'push', '--quiet', 'origin', 'HEAD')
  })

  it('rejects pushes to pull request refs', async () => {
    const dir = await clone('hidden')
    await expect(t.git(dir, 'push', 'origin', 'HEAD:refs/pull/9/head')).rejects.toThrow(/hidden ref/)
  })

  it('accepts only one of two concurrent pushes', async () => {
    const dirs = await Promise.all([clone('race-a'), clone('race-b')])
    for (const [i, dir] of dirs.entries()) await t.git(dir, 'commit', '--quiet', '--allow-empty', '-m', `Racer ${i}`)
    const results = await Promise.allSettled(dirs.map((dir) => t.git(dir, 'push', 'origin', 'HEAD:refs/heads/race')))
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(t.host.stats().refUpdates.filter((update) => update.ref === 'refs/heads/race')).toHaveLength(1)
  })
})

describe('renamed repositories', () => {
  it('redirects git to the new name', async () => {
    await t.host.createRepository('acme/former', { commits: [{ message: 'Start', files: files({ a: '1' }) }] })
    await t.host.rename('acme/former', 'acme/present')
    const response = await advertise('acme/former.git', basic(t.host.token))
    expect(response.status).toBe(301)
    const location = `${t.host.url}/acme/present.git/info/refs?service=git-upload-pack`
    expect(response.headers.get('location')).toBe(location)
    expect(await readFile(join(await clone('moved', 'acme/former'), 'a'), 'utf8')).toBe('1')
  })
})
