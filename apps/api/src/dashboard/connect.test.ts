import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { findStoredCredential, saveGitHubApp } from '@corrigenda/core/credentials'
import { startGitHost } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openUsersApi } from '../test-support/open-users-api.ts'
import { exchangeManifestCode } from './github-app/exchange-manifest-code.ts'
import { buildAppManifest, toGitHostAddress } from './github-app/github-app-routes.ts'

// A token without a known format, as issued by other Git hosts. Redaction must match its exact
// value.
const TOKEN = `ghp_${'0'.repeat(32)}CDEF`
const APP = '/dashboard/api/github-app'

async function openHost() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-connect-'))
  const host = await startGitHost({ root })
  onTestFinished(async () => {
    await host.close()
    await rm(root, { recursive: true, force: true })
  })
  return host
}

test('owners can change settings, members can read them, and invalid settings are rejected with the field name', async () => {
  const api = await openUsersApi()
  const url = `/dashboard/api/projects/${api.project.id}/settings`
  const { cookie: owner } = await api.makeUser({ role: 'owner', name: 'Ada' })
  const { cookie: member } = await api.makeUser({ role: 'member' })
  const changed = await api.ask('PATCH', url, {
    cookie: owner,
    body: { budgets: { maxTurns: 5 }, policy: { writable: ['docs/**'], draft: true } },
  })
  expect([changed.statusCode, changed.json()]).toMatchObject([
    200,
    { budgets: { maxTurns: 5 }, policy: { writable: ['docs/**'], draft: true }, changedBy: 'Ada' },
  ])
  const read = await api.ask('GET', url, { cookie: member })
  expect(read.json()).toEqual(changed.json())
  expect(read.headers['cache-control']).toBe('no-store')
  for (const [body, field] of [
    [{ policy: { maxFiles: 1000 } }, 'policy.maxFiles'],
    [{ policy: { maxFile: 10 } }, 'maxFile'],
    [{ repository: 'https://elsewhere.example/a/b' }, 'elsewhere.example'],
    [{ deployTarget: { kind: 'hook', url: 'http://127.0.0.1/x' } }, 'deploy hook'],
  ] as const) {
    const refused = await api.ask('PATCH', url, { cookie: owner, body })
    expectError(refused, 400, 'invalid_request')
    expect(refused.json().error).toContain(field)
  }
  expectError(await api.ask('PATCH', url, { cookie: member, body: {} }), 403, 'role_missing')
  // Owners cannot change the repository, because the instance's credentials can access other
  // repositories.
  const repository = 'https://github.com/acme/secrets'
  const move = (cookie: string, to: string) => api.ask('PATCH', url, { cookie, body: { repository: to } })
  expectError(await move(owner, repository), 403, 'role_missing')
  expect((await api.ask('GET', url, { cookie: owner })).json().repository).toBe(read.json().repository)
  expect((await move(owner, `${read.json().repository}.git`)).statusCode).toBe(200)
  const { cookie: admin } = await api.makeUser({ isAdmin: true })
  expect((await move(admin, repository)).json()).toMatchObject({ repository })
})

test('stores an access token, and never returns or logs it', async () => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser({ role: 'owner', name: 'Ada' })
  const url = `/dashboard/api/projects/${api.project.id}/credential`
  const saved = await api.ask('PUT', url, { cookie, body: { token: ` ${TOKEN}\n` } })
  expect(saved.json().credential).toMatchObject({ kind: 'token', lastFour: 'CDEF', savedBy: 'Ada' })
  expect(await findStoredCredential(api.deps, api.project.id)).toMatchObject({ kind: 'token', token: TOKEN })
  for (const token of ['tiny-secret-12', `${TOKEN} two`, 'x'.repeat(501), `${TOKEN}ü`]) {
    const refused = await api.ask('PUT', url, { cookie, body: { token } })
    expectError(refused, 400, 'invalid_request')
    expect(refused.body).not.toContain(token)
  }
  // A token with a known format is redacted even if a log message accidentally contains it.
  api.deps.log.error({ err: new Error(`could not use ${TOKEN}`) }, 'message from a library')
  const deleted = await api.ask('DELETE', url, { cookie })
  expect(deleted.json().credential).toEqual({ kind: 'environment' })
  expect(`${saved.body}${deleted.body}${api.lines.join('')}`).not.toContain(TOKEN)
  expect(api.lines.join('')).toContain('could not use [redacted]')
})

test('owners can request and read repository tests, but only in their own project', async () => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser({ role: 'owner' })
  const other = await api.makeProject()
  const { cookie: stranger } = await api.makeUser({ role: 'owner', projectId: other.id })
  const url = `/dashboard/api/projects/${api.project.id}/repository-tests`
  const accepted = await api.ask('POST', url, { cookie })
  expect(accepted.statusCode).toBe(202)
  const { id } = accepted.json()
  expect((await api.ask('POST', url, { cookie })).json()).toEqual({ id })
  expect((await api.ask('GET', `${url}/${id}`, { cookie })).json()).toMatchObject({ id, status: 'waiting', steps: [] })
  const foreign = await api.ask('GET', `/dashboard/api/projects/${other.id}/repository-tests/${id}`, {
    cookie: stranger,
  })
  expectError(foreign, 404, 'not_found')
  expect(foreign.body).toBe((await api.ask('GET', `${url}/rpt_none`, { cookie })).body)
})

test('a GitHub App registration can be completed only once and only by the admin who started it, and the App secrets are not exposed', async () => {
  const host = await openHost()
  const api = await openUsersApi({ githubApiUrl: host.apiUrl })
  const { cookie } = await api.makeUser({ isAdmin: true, name: 'Ada' })
  const { cookie: other } = await api.makeUser({ isAdmin: true })
  expect((await api.ask('GET', APP, { cookie })).json()).toEqual({ app: null })
  const register = async (body: object = {}) => (await api.ask('POST', `${APP}/manifest`, { cookie, body })).json()
  const finish = async (state: string, code: string, who = cookie) => {
    const query = new URLSearchParams({ code, state })
    // Headers that a browser sends when another site redirects it.
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const response = await api.ask('GET', `${APP}/created?${query}`, { cookie: who, headers })
    expect(response.statusCode).toBe(303)
    return response.headers.location
  }

  const inOrganization = await register({ organization: 'acme' })
  expect(inOrganization.action).toBe(`${host.url}/organizations/acme/settings/apps/new?state=${inOrganization.state}`)
  const { action, manifest, state, start } = await register()
  expect(action).toBe(`${host.url}/settings/apps/new?state=${state}`)
  const page = await api.ask('GET', start, { cookie })
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining(`default-src 'none'; style-src 'sha256-`),
    'cache-control': 'no-store',
  })
  expect(page.headers['content-security-policy']).toContain(`form-action ${host.url};`)
  const [, quoted = ''] = /name="manifest" value="([^"]*)"/.exec(page.body) ?? []
  expect(quoted.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(manifest)
  expectError(await api.ask('GET', start, { cookie: other }), 404, 'not_found')
  // The second registration invalidated the first one.
  expect(await finish(inOrganization.state, 'x')).toBe('/ops?githubApp=state_unknown')

  const code = host.submitManifest(JSON.parse(manifest))
  expect(await finish(state, code, other)).toBe('/ops?githubApp=state_unknown')
  expect(await finish(state, code)).toBe('/ops?githubApp=made')
  expect(await finish(state, code)).toBe('/ops?githubApp=state_unknown')
  const { app } = (await api.ask('GET', APP, { cookie })).json()
  const htmlUrl = `${host.url}/apps/corrigenda`
  expect(app).toEqual({
    slug: 'corrigenda',
    name: JSON.parse(manifest).name,
    htmlUrl,
    installUrl: `${htmlUrl}/installations/new`,
  })
  expect(host.requests.filter((one) => one.op === 'apps.createFromManifest')).toHaveLength(1)
  const { privateKey } = host.app
  await api.database.prisma.project.update({
    where: { id: api.project.id },
    data: { repositoryUrl: `${host.url}/a/b` },
  })
  expect(await findStoredCredential(api.deps, api.project.id)).toMatchObject({ kind: 'app', privateKey })
  api.deps.log.warn({ key: privateKey }, 'message from a library')
  expect(api.lines.join('')).not.toContain(privateKey.split('\n')[3])

  // The exchange fails if the code is invalid or the host resets the connection.
  expect(await finish((await register()).state, 'unknown')).toBe('/ops?githubApp=exchange_failed')
  host.fault({ op: 'apps.createFromManifest', kind: 'reset' })
  expect(await finish((await register()).state, host.submitManifest(JSON.parse(manifest)))).toBe(
    '/ops?githubApp=exchange_failed',
  )
  expect((await api.ask('DELETE', APP, { cookie })).statusCode).toBe(204)
  expect((await api.ask('GET', APP, { cookie })).json()).toEqual({ app: null })
})

test('accepts webhooks from a new GitHub App without a restart, and returns 404 while no secret is configured', async () => {
  const api = await openUsersApi({})
  const payload = JSON.stringify({ zen: 'Keep it logically awesome.' })
  const send = (secret: string, app = api.app) =>
    app.inject({
      method: 'POST',
      url: '/v1/github/webhook',
      payload,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
      },
    })
  expectError(await send('anything'), 404, 'unknown_path')

  const app = {
    appId: 1,
    slug: 'a',
    name: 'A',
    htmlUrl: 'https://github.com/apps/a',
    clientId: null,
    privateKey: 'pem',
    webhookSecret: 'secret-of-the-app',
    clientSecret: null,
  }
  await saveGitHubApp({ ...api.deps, audit: COMMAND_LINE }, { app })
  await expect.poll(async () => (await send('secret-of-the-app')).statusCode, { interval: 200 }).toBe(202)
  expectError(await send('secret-of-another'), 401, 'unauthorized')
})

test('resolves Git host URLs, and builds a manifest with the required permissions', async () => {
  expect(toGitHostAddress(null)).toEqual({ apiUrl: 'https://api.github.com', webUrl: 'https://github.com' })
  expect(toGitHostAddress('https://api.github.com/').webUrl).toBe('https://github.com')
  expect(toGitHostAddress('https://api.acme.ghe.com').webUrl).toBe('https://acme.ghe.com')
  expect(toGitHostAddress('https://git.acme.test/api/v3/')).toEqual({
    apiUrl: 'https://git.acme.test/api/v3',
    webUrl: 'https://git.acme.test',
  })
  const host = await openHost()
  const local = buildAppManifest('http://localhost:8080')
  expect(local).not.toHaveProperty('hook_attributes')
  const hosted = buildAppManifest('https://corrigenda.docs-department.example.com')
  expect(hosted).toMatchObject({
    public: false,
    redirect_url: 'https://corrigenda.docs-department.example.com/dashboard/api/github-app/created',
    hook_attributes: { url: 'https://corrigenda.docs-department.example.com/v1/github/webhook', active: true },
    default_permissions: { contents: 'write', pull_requests: 'write', checks: 'read', statuses: 'read' },
  })
  for (const manifest of [local, hosted]) expect(host.submitManifest(manifest)).toMatch(/^[0-9a-f]{40}$/)
  // An App on a different host is rejected, because an App is used only for repositories on its
  // host.
  const code = host.submitManifest(local)
  const address = { apiUrl: host.apiUrl, webUrl: 'https://github.com' }
  await expect(exchangeManifestCode(address, code)).rejects.toThrow('an App on a different host')
  await expect(exchangeManifestCode(address, code)).rejects.toThrow('responded with 404')
})
