import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import { type GitHost, startGitHost } from '@corrigenda/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Access, type Credentials, CredentialsError } from '../credentials.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCredentials } from './build-credentials.ts'
import { buildOpenGitHub } from './build-github.ts'

const settings: GitHubSettings = { apiUrl: null, version: '0.0.0', retryBaseMs: 5 }
const never = new AbortController().signal

let root: string
let host: GitHost
let docs: RepositoryAddress
let other: RepositoryAddress
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'credentials-'))
  host = await startGitHost({ root })
  for (const full of ['acme/docs', 'acme/other']) {
    await host.createRepository(full, { commits: [{ message: 'first', files: new Map([['a.md', { data: 'a\n' }]]) }] })
  }
  docs = toRepositoryAddress(host.repositoryUrl('acme/docs'))
  other = toRepositoryAddress(host.repositoryUrl('acme/other'))
})
afterAll(async () => {
  await host.close()
  await rm(root, { recursive: true, force: true })
})
let before: number
beforeEach(() => {
  before = host.requests.length
})

const requestsOf = (op: string) => host.requests.slice(before).filter((one) => one.op === op)

function buildApp(some: Partial<GitHubSettings> = {}, privateKey = host.app.privateKey): Credentials {
  return buildCredentials({ kind: 'app', appId: host.app.id, privateKey }, { ...settings, ...some })
}

async function failOf(work: Promise<unknown>): Promise<CredentialsError> {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof CredentialsError)) throw new Error(`expected a CredentialsError, got ${String(error)}`)
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(host.app.privateKey.split('\n')[1])
  return error
}

/** Reads a repository with a token that may have been created for a different repository. */
async function read(repository: RepositoryAddress, token: string): Promise<string> {
  const credentials = buildCredentials({ kind: 'token', token }, settings)
  const openGitHost = buildOpenGitHub(settings)
  const gitHost = await openGitHost({ credentials, repository, access: 'read', signal: never })
  return (await gitHost.getRepository()).path
}

describe('a token', () => {
  test('is returned unchanged', async () => {
    const credentials = buildCredentials({ kind: 'token', token: 'secret' }, settings)
    await expect(credentials.getToken({ repository: docs, access: 'publish', signal: never })).resolves.toBe('secret')
    expect(host.requests.length).toBe(before)
  })
})

describe("an App's token", () => {
  test('grants access only to its repository', async () => {
    const token = await buildApp().getToken({ repository: docs, access: 'read', signal: never })
    await expect(read(docs, token)).resolves.toBe('acme/docs')
    await expect(read(other, token)).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['read', { contents: 'read', metadata: 'read' }],
    ['publish', { contents: 'write', pull_requests: 'write', metadata: 'read' }],
  ] as const)('with %s access has only the permissions that it needs', async (access, permissions) => {
    const token = await buildApp().getToken({ repository: docs, access, signal: never })
    expect(requestsOf('apps.createInstallationAccessToken')).toMatchObject([
      { body: { repositories: ['docs'], permissions } },
    ])
    const credentials = buildCredentials({ kind: 'token', token }, settings)
    const gitHost = await buildOpenGitHub(settings)({ credentials, repository: docs, access, signal: never })
    const open = gitHost.createPullRequest({ branch: 'gone', base: 'main', title: 'x', body: '', draft: false })
    await expect(open).rejects.toMatchObject({ code: access === 'read' ? 'forbidden' : 'validation' })
  })

  test('is created once per repository and access level, even for concurrent callers', async () => {
    const app = buildApp()
    const ask = (repository: RepositoryAddress, access: Access) => app.getToken({ repository, access, signal: never })
    const tokens = await Promise.all([ask(docs, 'read'), ask(docs, 'read'), ask(docs, 'publish'), ask(other, 'read')])
    expect(new Set(tokens).size).toBe(3)
    expect(await ask(docs, 'read')).toBe(tokens[0])
    expect(requestsOf('apps.createInstallationAccessToken')).toHaveLength(3)
  })

  test('is replaced five minutes before it expires', async () => {
    let lifeMs = 4.9 * 60_000
    const short: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).endsWith('/access_tokens')) return response
      const grant = (await response.json()) as Record<string, unknown>
      return Response.json({ ...grant, expires_at: new Date(Date.now() + lifeMs).toISOString() }, { status: 201 })
    }
    const app = buildApp({ fetch: short })
    const ask = () => app.getToken({ repository: docs, access: 'read', signal: never })
    const first = await ask()
    lifeMs = 5.5 * 60_000
    const [second, third] = await Promise.all([ask(), ask()])
    expect(second).not.toBe(first)
    expect([third, await ask()]).toEqual([second, second])
    expect(requestsOf('apps.createInstallationAccessToken')).toHaveLength(2)
  })

  test('that was rejected is replaced once for all callers', async () => {
    const app = buildApp()
    const ask = (refused?: string) =>
      app.getToken({ repository: docs, access: 'read', signal: never, ...(refused ? { refused } : {}) })
    const first = await ask()
    const [second, third] = await Promise.all([ask(first), ask(first)])
    expect(second).not.toBe(first)
    expect([third, await ask(), await ask(first)]).toEqual([second, second, second])
    expect(requestsOf('apps.createInstallationAccessToken')).toHaveLength(2)
  })

  test('that the host rejects while a client is open is replaced without an error', async () => {
    const credentials = buildApp()
    const openGitHost = buildOpenGitHub(settings)
    const gitHost = await openGitHost({ credentials, repository: docs, access: 'read', signal: never })
    const readDocs = () => gitHost.getRepository()
    await readDocs()
    host.expireInstallationTokens()
    await expect(readDocs()).resolves.toMatchObject({ path: 'acme/docs' })
    expect(requestsOf('repos.get').map(({ status }) => status)).toEqual([200, 401, 200])
  })

  test('is still returned to other callers when one of them aborts', async () => {
    const app = buildApp()
    const stop = new AbortController()
    const gaveUp = app
      .getToken({ repository: docs, access: 'read', signal: stop.signal })
      .catch((error: unknown) => error)
    const waiting = app.getToken({ repository: docs, access: 'read', signal: never })
    stop.abort()
    expect(await gaveUp).toMatchObject({ code: 'aborted' })
    await expect(read(docs, await waiting)).resolves.toBe('acme/docs')
  })

  test('is requested again after a failure', async () => {
    const app = buildApp()
    host.fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404 })
    expect(await failOf(app.getToken({ repository: docs, access: 'read', signal: never }))).toMatchObject({
      code: 'installation_missing',
    })
    await expect(app.getToken({ repository: docs, access: 'read', signal: never })).resolves.toMatch(/^ghs_/)
  })

  test('is requested again after a short host outage', async () => {
    host.fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 502 })
    host.fault({ op: 'apps.createInstallationAccessToken', kind: 'apply-then-reset' })
    await expect(buildApp().getToken({ repository: docs, access: 'read', signal: never })).resolves.toMatch(/^ghs_/)
  })

  test('that grants access to more than the repository is rejected', async () => {
    const careless: typeof fetch = (input, init) =>
      fetch(input, { ...init, body: init?.body ? JSON.stringify({ permissions: { contents: 'read' } }) : null })
    const work = buildApp({ fetch: careless }).getToken({ repository: docs, access: 'read', signal: never })
    expect(await failOf(work)).toMatchObject({ code: 'token_too_broad' })
  })
})

describe('an App', () => {
  test('fails with distinct codes for a missing installation, a wrong key and missing permissions', async () => {
    const nowhere = toRepositoryAddress(host.repositoryUrl('acme/nowhere'))
    expect(await failOf(buildApp().getToken({ repository: nowhere, access: 'read', signal: never }))).toMatchObject({
      code: 'installation_missing',
      message: expect.stringContaining('Install it there'),
    })
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const wrongKey = buildApp({}, stranger.export({ type: 'pkcs8', format: 'pem' }).toString())
    expect(await failOf(wrongKey.getToken({ repository: docs, access: 'read', signal: never }))).toMatchObject({
      code: 'app_refused',
    })
    host.fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 403, message: 'suspended' })
    expect(await failOf(buildApp().getToken({ repository: docs, access: 'read', signal: never }))).toMatchObject({
      code: 'permission_missing',
    })
  })

  test('accepts its key in every form found in environment variables', async () => {
    const pkcs1 = host.app.privateKey
    const pkcs8 = createPrivateKey(pkcs1).export({ type: 'pkcs8', format: 'pem' }).toString()
    const forms = [
      pkcs1,
      pkcs8,
      pkcs1.replaceAll('\n', '\\n'),
      pkcs8.replaceAll('\n', '\\r\\n'),
      pkcs1.replaceAll('\n', '\r\n'),
      pkcs1.replaceAll('\n', ' '),
      `"${pkcs1.replaceAll('\n', '\\n')}"`,
      Buffer.from(pkcs1).toString('base64'),
      Buffer.from(pkcs8).toString('base64').replace(/.{76}/g, '$&\n'),
    ]
    for (const form of forms) {
      const token = buildApp({}, form).getToken({ repository: docs, access: 'read', signal: never })
      await expect(token, form.slice(0, 40)).resolves.toMatch(/^ghs_/)
    }
  })

  test('without a usable key is rejected immediately', () => {
    const pem = { type: 'pkcs8', format: 'pem' } as const
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem)
    const locked = createPrivateKey(host.app.privateKey).export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' })
    for (const key of ['', 'secret', host.app.privateKey.slice(0, 400), `${elliptic}`, `${locked}`]) {
      const build = () => buildApp({}, key)
      expect(build).toThrow(CredentialsError)
      expect(build).toThrow(
        expect.objectContaining({ code: 'bad_app_key', message: expect.not.stringContaining('secret') }),
      )
    }
  })
})

describe('the author of commits', () => {
  const identityOf = (credentials: Credentials) => credentials.findIdentity({ repository: docs, signal: never })
  const { hostname } = new URL('http://127.0.0.1')

  test("is the App's bot, and is read once", async () => {
    const app = buildApp()
    const bot = { name: 'corrigenda[bot]', email: `corrigenda[bot]@users.noreply.${hostname}` }
    const found = await identityOf(app)
    expect({ ...found, email: found?.email.replace(/^\d+\+/, '') }).toEqual(bot)
    expect(found?.email).toMatch(/^\d+\+/)
    const asked = host.requests.length
    expect(await identityOf(app)).toEqual(found)
    expect(host.requests.length).toBe(asked)
  })

  test("is a token's user, and unknown for a token without a user", async () => {
    const found = await identityOf(buildCredentials({ kind: 'token', token: host.token }, settings))
    expect(found).toEqual({
      name: 'corrigenda-bot',
      email: expect.stringMatching(/^\d+\+corrigenda-bot@users\.noreply\./),
    })
    const token = await buildApp().getToken({ repository: docs, access: 'read', signal: never })
    expect(await identityOf(buildCredentials({ kind: 'token', token }, settings))).toBeNull()
  })
})
