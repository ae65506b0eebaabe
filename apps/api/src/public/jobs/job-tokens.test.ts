import { COMMAND_LINE } from '@corrigenda/core/audit'
import { appendEvent } from '@corrigenda/core/internal/job-record/append-event'
import { buildJobToken } from '@corrigenda/core/internal/keys/job-token'
import { revokeKey } from '@corrigenda/core/keys'
import { expect, test } from 'vitest'
import { MAX_TOKEN_STREAMS } from '../../event-hub/open-event-hub.ts'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openEventApi } from '../../test-support/open-event-api.ts'

const PAGE = 'https://app.example.com'

async function open(
  options: Parameters<typeof openEventApi>[0] = {},
  overrides: Parameters<typeof openEventApi>[1] = {},
) {
  const api = await openEventApi({ keyCheckMs: 20, ...options }, { corsOrigins: [PAGE], ...overrides })
  const jobPath = (id = api.id, projectId = api.project.id) => `/v2/agent/${projectId}/job/${id}`
  const ask = (method: string, url: string, token: string, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(method === 'POST' && { payload: { prompt: 'x' } }),
    })
  const createToken = async (key = api.key, id = api.id): Promise<string> => {
    const created = await ask('POST', `${jobPath(id)}/token`, key)
    expect(created.statusCode).toBe(201)
    return created.json().token
  }
  return { ...api, jobPath, ask, createToken }
}

test('a job token reads its job and the events, at both paths, with If-None-Match and HEAD', async () => {
  const { ask, createToken, jobPath, id, project, key, keyId, database } = await open()
  const created = await ask('POST', `${jobPath()}/token`, key)
  expect(created.json()).toEqual({ token: expect.stringMatching(/^cgj_/), jobId: id, expiresAt: expect.any(String) })
  const seconds = (Date.parse(created.json().expiresAt) - Date.now()) / 1000
  expect([seconds > 3500, seconds <= 3600]).toEqual([true, true])
  const token = await createToken()
  const job = await ask('GET', jobPath(), token)
  expect([job.statusCode, job.json()]).toEqual([200, (await ask('GET', jobPath(), key)).json()])
  const unchanged = await ask('GET', jobPath(), token, { 'if-none-match': String(job.headers.etag) })
  expect(unchanged.statusCode).toBe(304)
  expect((await ask('HEAD', jobPath(), token)).statusCode).toBe(200)
  const acts = await database.prisma.auditEvent.findMany({
    where: { action: 'job.token_created', projectId: project.id },
  })
  const act = { actorType: 'key', actorId: keyId, projectId: project.id, targetId: id, ipAddress: '127.0.0.1' }
  expect(acts).toEqual([expect.objectContaining(act), expect.objectContaining(act)])
  expect(JSON.stringify(acts)).not.toContain(token)
  expect((await ask('GET', `/api/agent/v2/${project.id}/job/${id}`, token)).statusCode).toBe(200)
  expect((await ask('GET', `${jobPath()}/events`, token)).json().events[0]).toMatchObject({ type: 'job.created' })
})

test('a job token reads nothing about the sources of its job', async () => {
  const api = await open()
  const { ask, createToken, jobPath, key, id, database } = api
  const token = await createToken()
  const streams = await Promise.all([
    api.watch(),
    ...['true', 'false'].map((named) => api.watch({ authorization: `Bearer ${token}` }, `?named=${named}`)),
  ])
  const calls = [
    { tool: 'search', subject: 'secretRate', source: 'api' },
    { tool: 'view', subject: 'guides/a.md' },
  ]
  for (const data of calls) {
    await database.prisma.$transaction((tx) => appendEvent(tx, id, { type: 'tool.called', data }))
  }
  const source = {
    name: 'api',
    repository: 'https://github.com/acme/secret',
    ref: 'main',
    commit: 'a'.repeat(40),
    baseCommit: null,
    visibility: 'private',
    cite: 'none',
    paths: [],
    quotable: [],
  }
  const evidence = { page: 'a.md', source: 'api', path: 'src/rates.ts', fromLine: 1, toLine: 2, note: 'The rate' }
  await database.prisma.job.update({
    where: { id },
    data: { sources: [source], evidence: [{ ...evidence, commit: source.commit }] },
  })
  const [job, page, full] = [
    await ask('GET', jobPath(), token),
    await ask('GET', api.path, token),
    await ask('GET', jobPath(), key),
  ]
  expect(full.json()).toMatchObject({ sources: [{ name: 'api' }], evidence: [evidence] })
  expect(job.json()).toEqual({ ...full.json(), sources: [], evidence: [] })
  expect(job.headers.etag).not.toBe(full.headers.etag)
  const shown = [{ ...calls[0], subject: null }, calls[1]]
  expect(
    page
      .json()
      .events.slice(1)
      .map(({ data }: { data: unknown }) => data),
  ).toEqual(shown)
  expect((await ask('GET', api.path, key)).json().events[1].data).toEqual(calls[0])
  await endJob(database, id)
  const [withKey, ...withToken] = await Promise.all(
    streams.map(async (stream) => ((await stream.ended) ? stream : null)),
  )
  expect(withKey?.text).toContain('secretRate')
  for (const stream of withToken) {
    expect(stream?.text).toContain('guides/a.md')
    expect(stream?.text).not.toContain('secretRate')
  }
  expect(withToken.map((stream) => stream?.text.includes('event: tool.called'))).toEqual([true, false])
})

test('a job token reads no other job and no other project, and is not accepted by any other endpoint', async () => {
  const { ask, createToken, jobPath, post, project, makeProject, id } = await open()
  const token = await createToken()
  const other = (await post({ prompt: 'Another.' })).json().id
  const foreign = (await makeProject()).id
  for (const path of [jobPath(other), `${jobPath(other)}/events`, jobPath(id, foreign), jobPath('job_x')]) {
    expectError(await ask('GET', path, token), 404, 'not_found')
  }
  const refused = [
    ...['message', 'cancel', 'archive', 'retry', 'token'].map((name) => `POST ${jobPath()}/${name}`),
    `GET ${jobPath()}/changes`,
    `DELETE ${jobPath()}`,
    `POST /v2/agent/${project.id}/job`,
    `GET /v2/agent/${project.id}/jobs`,
    `GET /v1/agent/${project.id}/job/${id}`,
    `GET /v1/agent/${project.id}/jobs`,
    'GET /v1/me',
    'POST /mcp',
    `POST /v1/project/update/${project.id}`,
    `GET /v1/project/${project.id}/updates`,
    `GET /v1/project/${project.id}/webhooks`,
  ]
  for (const route of refused) {
    const [method = '', path = ''] = route.split(' ')
    const response = await ask(method, path, token)
    expect([route, response.statusCode, response.headers['x-error-code']]).toEqual([route, 401, 'unauthorized'])
  }
})

test('a job token ends after its time, with its key, and when the key loses the scope', async () => {
  const { ask, createToken, jobPath, makeKey, database, project, deps, id, keyId } = await open()
  const end = (seconds: number) =>
    buildJobToken(deps.keyPepper, { keyId, jobId: id, expiresAt: Math.floor(Date.now() / 1000) + seconds })
  expect((await ask('GET', jobPath(), end(60))).statusCode).toBe(200)
  expectError(await ask('GET', jobPath(), end(-1)), 401, 'unauthorized')
  expectError(await ask('GET', jobPath(), `${end(60).slice(0, -1)}x`), 401, 'unauthorized')

  const [revoked, expired, narrowed] = [await makeKey(project.id), await makeKey(project.id), await makeKey(project.id)]
  const tokens = [await createToken(revoked.key), await createToken(expired.key), await createToken(narrowed.key)]
  for (const token of tokens) expect((await ask('GET', jobPath(), token)).statusCode).toBe(200)
  await revokeKey({ ...database, audit: COMMAND_LINE }, revoked.id)
  await database.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt: new Date(Date.now() - 1) } })
  await database.prisma.apiKey.update({ where: { id: narrowed.id }, data: { scopes: ['jobs:write'] } })
  const [first = '', second = '', third = ''] = tokens
  expectError(await ask('GET', jobPath(), first), 401, 'unauthorized')
  expectError(await ask('GET', jobPath(), second), 401, 'unauthorized')
  expectError(await ask('GET', jobPath(), third), 403, 'scope_missing')
})

test('only an API key that may read the job creates a token, and the addresses of the key apply to it', async () => {
  const { ask, jobPath, makeKey, makeProject, project, deps, id, app } = await open()
  const writer = await makeKey(project.id, { scopes: ['jobs:write'] })
  expectError(await ask('POST', `${jobPath()}/token`, writer.key), 403, 'scope_missing')
  const other = (await makeProject()).id
  const foreign = await makeKey(other)
  expectError(await ask('POST', `${jobPath()}/token`, foreign.key), 404, 'not_found')
  expectError(await ask('POST', `${jobPath(id, other)}/token`, foreign.key), 404, 'not_found')
  const missing = `${jobPath(`job_${'0'.repeat(26)}`)}/token`
  expectError(await ask('POST', missing, (await makeKey(project.id)).key), 404, 'not_found')
  const office = await makeKey(project.id, { allowedCidrs: ['203.0.113.0/24'] })
  const expiresAt = Math.floor(Date.now() / 1000) + 60
  const authorization = `Bearer ${buildJobToken(deps.keyPepper, { keyId: office.id, jobId: id, expiresAt })}`
  const from = (address: string) =>
    app.inject({ url: jobPath(), headers: { authorization, 'x-forwarded-for': address } })
  expect((await from('203.0.113.7')).statusCode).toBe(200)
  expectError(await from('198.51.100.7'), 403, 'address_not_allowed')
})

test('the token of a stream can be a query parameter, but an API key and the token of another route cannot', async () => {
  const api = await open()
  const token = await api.createToken()
  const ask = (url: string) => api.app.inject({ url })
  const events = await ask(`${api.path}?token=${token}`)
  expect([events.statusCode, events.json().events.length]).toEqual([200, 1])
  expectError(await ask(`${api.path}?token=${api.key}`), 401, 'unauthorized')
  expectError(await ask(`${api.jobPath()}?token=${token}`), 401, 'unauthorized')
  expectError(await ask(`${api.jobPath()}/changes?token=${token}`), 401, 'unauthorized')
  // The header takes precedence.
  expectError(await api.ask('GET', `${api.path}?token=${token}`, 'cgd_wrong'), 401, 'unauthorized')
})

test('a stream without names contains the same events, and ends with its token', async () => {
  const api = await open()
  const token = await api.createToken()
  const named = await api.watch()
  const stream = await api.watch({ authorization: `Bearer ${token}` }, '?named=false')
  await api.append(2)
  await expect.poll(() => stream.events.length).toBe(3)
  expect(stream.text).toMatch(/^retry: 2000\n\nid: 1\ndata: \{/)
  expect(stream.text).not.toContain('event:')
  const expiresAt = Math.floor(Date.now() / 1000) + 2
  const parts = { keyId: api.keyId, jobId: api.id, expiresAt }
  const short = await api.watch({ authorization: `Bearer ${buildJobToken(api.deps.keyPepper, parts)}` })
  expect(await short.ended).toBe(true)
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt * 1000)
  await endJob(api.database, api.id)
  expect(await stream.ended).toBe(true)
  await named.ended
  expect(stream.events.map(({ data }) => data)).toEqual(named.events.map(({ data }) => data))
})

test('the streams that tokens open for a job are limited, and leave room for streams with the key', async () => {
  const api = await open()
  const authorization = `Bearer ${await api.createToken()}`
  const streams = await Promise.all(Array.from({ length: MAX_TOKEN_STREAMS }, () => api.watch({ authorization })))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await api.watch({ authorization })
  expect([refused.status, refused.headers['x-error-code']]).toEqual([503, 'too_many_streams'])
  expect((await api.watch()).status).toBe(200)
})

test('requests with a token do not count toward the limit of the key', async () => {
  const { ask, createToken, jobPath, key, post } = await open({}, { callerRateLimit: 8 })
  const token = await createToken()
  for (let n = 0; n < 8; n += 1) expect((await ask('GET', jobPath(), token)).statusCode).toBe(200)
  const limited = await ask('GET', jobPath(), token)
  expectError(limited, 429, 'too_many_requests')
  expect(limited.body).toContain('with tokens for this job')
  // Other tokens for the job use the same limit. The tokens for another job have their own.
  expectError(await ask('GET', jobPath(), await createToken()), 429, 'too_many_requests')
  const other = (await post({ prompt: 'Another.' })).json().id
  expect((await ask('GET', jobPath(other), await createToken(key, other))).statusCode).toBe(200)
  expect((await ask('GET', jobPath(), key)).statusCode).toBe(200)
})

test('only pages of configured origins read the responses, only for tokens, and only on the routes for tokens', async () => {
  const { ask, app, createToken, jobPath, key, path, project } = await open()
  const token = await createToken()
  const allowed = async (url: string, bearer: string, origin = PAGE, method = 'GET') =>
    (await ask(method, url, bearer, { origin })).headers['access-control-allow-origin']
  for (const url of [jobPath(), path]) {
    expect(await allowed(url, token)).toBe(PAGE)
    // The page can read the error of a token that has expired.
    expect(await allowed(url, 'cgj_expired')).toBe(PAGE)
    expect(await allowed(url, token, 'https://evil.example.com')).toBeUndefined()
    expect(await allowed(url, key)).toBeUndefined()
  }
  for (const url of [`${jobPath()}/changes`, `/v2/agent/${project.id}/jobs`, '/v1/me'])
    expect(await allowed(url, token)).toBeUndefined()
  expect(await allowed(jobPath(), token, PAGE, 'DELETE')).toBeUndefined()
  const answer = await ask('GET', jobPath(), token, { origin: PAGE })
  expect(answer.headers).toMatchObject({
    vary: 'origin',
    'cache-control': 'no-store',
    'access-control-expose-headers': expect.stringContaining('etag'),
  })
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()

  const preflight = (url: string, origin = PAGE, method = 'GET') =>
    app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': method } })
  const good = await preflight(jobPath())
  expect([good.statusCode, good.headers]).toEqual([
    204,
    expect.objectContaining({ 'access-control-allow-origin': PAGE, 'access-control-allow-methods': 'GET' }),
  ])
  for (const bad of [
    await preflight(jobPath(), 'https://evil.example.com'),
    await preflight(jobPath(), PAGE, 'DELETE'),
    await preflight(`${jobPath()}/changes`),
    await preflight(`${jobPath()}/token`, PAGE, 'POST'),
  ]) {
    expectError(bad, 405, 'method_not_allowed')
    expect(bad.headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('without configured origins, no response has CORS headers', async () => {
  const { ask, createToken, jobPath } = await open({}, { corsOrigins: [] })
  const answer = await ask('GET', jobPath(), await createToken(), { origin: PAGE })
  expect([answer.statusCode, answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([
    200,
    undefined,
    undefined,
  ])
})
