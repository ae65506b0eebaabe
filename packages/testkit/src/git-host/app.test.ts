import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestHost } from './test-support/open-test-host.ts'

let t: TestHost
beforeAll(async () => {
  t = await openTestHost()
})
afterAll(() => t.close())
afterEach(() => void vi.useRealTimers())

const docs = { owner: 'acme', repo: 'docs' }

function buildApp(): Octokit {
  const { id, privateKey } = t.host.app
  return new Octokit({
    baseUrl: t.host.apiUrl,
    log: t.octokit.log,
    authStrategy: createAppAuth,
    auth: { appId: id, privateKey },
  })
}

async function mint(body: Record<string, unknown> = {}) {
  const { data } = await buildApp().rest.apps.createInstallationAccessToken({
    installation_id: t.host.app.installationId,
    ...body,
  })
  return { ...data, octokit: new Octokit({ baseUrl: t.host.apiUrl, log: t.octokit.log, auth: data.token }) }
}

function signJwt(claims: Record<string, unknown>, options: { key?: string; alg?: string } = {}): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: options.alg ?? 'RS256', typ: 'JWT' })}.${encode(claims)}`
  const key = createPrivateKey(options.key ?? t.host.app.privateKey)
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}

const askAsApp = (jwt: string) =>
  fetch(`${t.host.apiUrl}/app`, { headers: { authorization: `Bearer ${jwt}`, 'user-agent': 'test' } })

describe('the App', () => {
  it('authenticates with its key and finds its installation', async () => {
    const app = buildApp()
    expect((await app.rest.apps.getAuthenticated()).data?.id).toBe(t.host.app.id)
    const { data } = await app.rest.apps.getRepoInstallation(docs)
    expect(data).toMatchObject({ id: t.host.app.installationId, account: { login: 'acme' } })
    const absent = app.rest.apps.getRepoInstallation({ owner: 'acme', repo: 'absent' })
    await expect(absent).rejects.toMatchObject({ status: 404 })
    const foreign = app.rest.apps.createInstallationAccessToken({ installation_id: 1 })
    await expect(foreign).rejects.toMatchObject({ status: 404 })
  })

  it('issues working tokens through auth-app', async () => {
    const { id, privateKey, installationId } = t.host.app
    const octokit = new Octokit({
      baseUrl: t.host.apiUrl,
      log: t.octokit.log,
      authStrategy: createAppAuth,
      auth: { appId: id, privateKey, installationId },
    })
    expect((await octokit.rest.repos.get(docs)).data.full_name).toBe('acme/docs')
  })

  it.each([
    ['an expired JWT', (now: number) => signJwt({ iss: t.host.app.id, iat: now - 700, exp: now - 100 }), /Expiration/],
    [
      'a JWT that is valid for too long',
      (now: number) => signJwt({ iss: t.host.app.id, iat: now, exp: now + 3600 }),
      /too far/,
    ],
    [
      'a JWT issued in the future',
      (now: number) => signJwt({ iss: t.host.app.id, iat: now + 300, exp: now + 500 }),
      /Issued at/,
    ],
    ['a JWT from another App', (now: number) => signJwt({ iss: 1, iat: now, exp: now + 60 }), /Integration not found/],
    [
      'a JWT with an unsupported algorithm',
      (now: number) => signJwt({ iss: t.host.app.id, iat: now, exp: now + 60 }, { alg: 'none' }),
      /decoded/,
    ],
    ['a malformed JWT', () => 'a.b.c', /decoded/],
  ])('rejects %s', async (_, build, reason) => {
    const response = await askAsApp(build(Math.floor(Date.now() / 1000)))
    expect(response.status).toBe(401)
    expect(await response.text()).toMatch(reason)
  })

  it('rejects a JWT signed with a different key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const now = Math.floor(Date.now() / 1000)
    expect((await askAsApp(signJwt({ iss: t.host.app.id, iat: now, exp: now + 60 }, { key }))).status).toBe(401)
    expect((await askAsApp(signJwt({ iss: t.host.app.id, iat: now, exp: now + 60 }))).status).toBe(200)
  })
})

describe('installation tokens', () => {
  it('are limited to the requested repositories', async () => {
    const { octokit, repository_selection, repositories, token } = await mint({ repositories: ['docs'] })
    expect(repository_selection).toBe('selected')
    expect(repositories?.map((repository) => repository.full_name)).toEqual(['acme/docs'])
    expect((await octokit.rest.repos.get(docs)).status).toBe(200)
    await expect(octokit.rest.repos.get({ owner: 'acme', repo: 'other' })).rejects.toMatchObject({ status: 404 })
    expect(await t.git(t.scratch, 'ls-remote', t.remote('acme/docs', token))).toContain('refs/heads/main')
    await expect(t.git(t.scratch, 'ls-remote', t.remote('acme/other', token))).rejects.toThrow(/not found/)
  })

  it('can be issued by repository ID', async () => {
    const { id } = (await t.octokit.rest.repos.get({ owner: 'acme', repo: 'other' })).data
    const { octokit } = await mint({ repository_ids: [id] })
    expect((await octokit.rest.repos.get({ owner: 'acme', repo: 'other' })).status).toBe(200)
    await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 404 })
  })

  it('are limited to their permissions', async () => {
    const { octokit, token, permissions } = await mint({ permissions: { contents: 'read' } })
    expect(permissions).toEqual({ contents: 'read', metadata: 'read' })
    await t.pushBranch('acme/docs', 'topic', { 'a.md': 'a' })
    const refused = { status: 403, message: expect.stringMatching(/^Resource not accessible by integration/) }
    const pull = { ...docs, head: 'topic', base: 'main', title: 'T' }
    await expect(octokit.rest.pulls.create(pull)).rejects.toMatchObject(refused)
    await expect(octokit.rest.pulls.listCommits({ ...docs, pull_number: 1 })).rejects.toMatchObject(refused)
    await expect(octokit.rest.users.getAuthenticated()).rejects.toMatchObject(refused)
    expect((await octokit.rest.repos.getBranch({ ...docs, branch: 'topic' })).status).toBe(200)
    await t.git(t.scratch, 'clone', '--quiet', t.remote('acme/docs', token), 'reader')
    const push = t.git(`${t.scratch}/reader`, 'push', 'origin', 'HEAD:refs/heads/sneaky')
    await expect(push).rejects.toThrow(/Write access to repository not granted/)
    const writer = await mint({ repositories: ['docs'], permissions: { pull_requests: 'write', contents: 'write' } })
    const created = await writer.octokit.rest.pulls.create(pull)
    expect(created.data.user).toMatchObject({ login: 'corrigenda[bot]', type: 'Bot' })
    const at = { ...docs, pull_number: created.data.number }
    expect((await writer.octokit.rest.pulls.listCommits(at)).data).toHaveLength(1)
    const labels = { ...docs, issue_number: created.data.number, labels: ['x'] }
    expect((await writer.octokit.rest.issues.addLabels(labels)).status).toBe(200)
    await expect(octokit.rest.issues.addLabels(labels)).rejects.toMatchObject(refused)
  })

  it("cannot exceed the App's access", async () => {
    await expect(mint({ permissions: { administration: 'write' } })).rejects.toMatchObject({ status: 422 })
    await expect(mint({ permissions: { contents: 'everything' } })).rejects.toMatchObject({ status: 422 })
    await expect(mint({ repositories: ['absent'] })).rejects.toMatchObject({ status: 422 })
    await expect(mint({ repository_ids: [1] })).rejects.toMatchObject({ status: 422 })
  })

  it('differ in length and can all be expired together', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => mint()))
    expect(new Set(tokens.map(({ token }) => token.length)).size).toBeGreaterThan(1)
    t.host.expireInstallationTokens()
    await expect(tokens[0]?.octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 401 })
  })

  it('expire after an hour', async () => {
    const { octokit, expires_at } = await mint()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires_at) - 60_000 })
    expect((await octokit.rest.repos.get(docs)).status).toBe(200)
    vi.setSystemTime(Date.parse(expires_at) + 1000)
    await expect(octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 401 })
  })

  it('are recorded with their request body but not their value', async () => {
    const { token } = await mint({ repositories: ['docs'] })
    const minted = t.host.requests.findLast((request) => request.op === 'apps.createInstallationAccessToken')
    expect(minted).toMatchObject({ status: 201, body: { repositories: ['docs'] } })
    expect(JSON.stringify(t.host.requests)).not.toContain(token)
  })
})
