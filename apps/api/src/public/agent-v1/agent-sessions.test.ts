import { AgentSession, AgentSessionList } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { revokeKey } from '@corrigenda/core/keys'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openEventApi } from '../../test-support/open-event-api.ts'
import { type HostedRun, runHostedClient } from './test-support/run-hosted-client.ts'

const MESSAGES = [
  { role: 'system', content: 'You are an action runner. You should never ask questions.' },
  { role: 'user', content: 'Update the documentation for our recent pushes to main:\n\nRepository: acme/app' },
]

type Api = Awaited<ReturnType<typeof openEventApi>>

/** Starts a job of version 1. Resolves once the job exists, and `run` once its stream has ended. */
async function start(api: Api, body: object = { messages: MESSAGES }) {
  const client = { origin: api.origin, projectId: api.project.id, apiKey: api.key }
  let run: Promise<HostedRun> | null = null
  const id = await new Promise<string>((resolve, reject) => {
    run = runHostedClient(client, body, resolve)
    run.catch(reject)
  })
  if (run === null) throw new Error('not started')
  const job = await api.database.prisma.job.findUniqueOrThrow({ where: { id }, include: { runs: true } })
  return { id, job, run: run as Promise<HostedRun> }
}

const post = (api: Api, body: unknown, headers: Record<string, string> = {}, projectId = api.project.id) =>
  api.app.inject({
    method: 'POST',
    url: `/v1/agent/${projectId}/job`,
    headers: { authorization: api.authorization, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })
const read = (api: Api, id: string) => api.get(`/v1/agent/${api.project.id}/job/${id}`)

test('a client of the hosted API creates a job, reads its stream to the end and reads the result', async () => {
  const api = await openEventApi()
  const { id, job, run } = await start(api, { messages: MESSAGES, branch: 'mintlify/docs-update-1', asDraft: false })
  expect(job).toMatchObject({ options: { branch: 'corrigenda/mintlify/docs-update-1', draft: false } })
  expect(job.runs[0]?.prompt).toBe(`system: ${MESSAGES[0]?.content}\n\nuser: ${MESSAGES[1]?.content}`)
  expect((await read(api, id)).json()).toMatchObject({ haulted: false, haultReason: 'processing', messageToUser: '' })
  await api.append(2, id)
  await endJob(api.database, id, { kind: 'needs_input', summary: 'Which release?', checks: [] })
  const ended = await run
  expect([ended.status, ended.isDone, ended.branch]).toEqual([200, true, 'corrigenda/mintlify/docs-update-1'])
  expect(Object.fromEntries(ended.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-vercel-ai-ui-message-stream': 'v1',
    'x-accel-buffering': 'no',
    'ratelimit-policy': '"create";q=100;w=3600',
    'x-request-id': expect.any(String),
  })
  expect(ended.texts).toEqual(['0', '1', 'Which release?'])
  const audited = { action: 'job.created', targetId: id, actorType: 'key', actorId: api.keyId }
  expect(await api.database.prisma.auditEvent.count({ where: audited })).toBe(1)
  expect(ended.errors).toEqual([])
  expect([ended.types.slice(0, 2), ended.types.slice(-3)]).toEqual([
    ['start', 'start-step'],
    ['data-session', 'finish-step', 'finish'],
  ])
  const { events } = (await api.get(`/v2/agent/${api.project.id}/job/${id}/events`)).json()
  expect(ended.data['data-event']).toEqual(events.filter(({ type }: { type: string }) => type !== 'agent.said'))
  const session = AgentSession.strict().parse((await read(api, id)).json())
  expect(ended.data['data-session']).toEqual([session])
  expect(session).toMatchObject({
    sessionId: id,
    subdomain: '',
    haulted: true,
    haultReason: 'completed',
    todos: [],
    pullRequestLink: '',
    messageToUser: 'Which release?',
  })
})

test.each([
  [{ kind: 'failed', code: 'stuck', message: 'It is stuck.' }, 'error', 'It is stuck.'],
  [{ kind: 'failed', code: 'git_host_forbidden', message: 'No.' }, 'github_missconfigured', 'No.'],
  [{ kind: 'cancelled' }, 'interrupted', 'The job was cancelled.'],
] as const)('the stream of a job that ended with %j ends with an error', async (outcome, haultReason, message) => {
  const api = await openEventApi()
  const { id, run } = await start(api)
  await endJob(api.database, id, outcome)
  const ended = await run
  expect([ended.isDone, ended.errors, ended.types.at(-1)]).toEqual([true, [message], 'finish'])
  expect((await read(api, id)).json()).toMatchObject({ haulted: true, haultReason, messageToUser: message })
})

test('a client that disconnects does not cancel the job', async () => {
  const api = await openEventApi()
  const abort = new AbortController()
  const response = await fetch(`${api.origin}/v1/agent/${api.project.id}/job`, {
    method: 'POST',
    headers: { authorization: api.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: MESSAGES }),
    signal: abort.signal,
  })
  const id = response.headers.get('x-session-id') ?? ''
  expect(api.hub.size).toBe(1)
  abort.abort()
  await expect.poll(() => api.hub.size).toBe(0)
  expect((await read(api, id)).json()).toMatchObject({ haulted: false })
  await endJob(api.database, id)
  expect((await read(api, id)).json()).toMatchObject({ haulted: true, haultReason: 'completed' })
})

test('open streams do not count as requests in progress', async () => {
  const api = await openEventApi()
  const started: Awaited<ReturnType<typeof start>>[] = []
  for (let n = 0; n < 5; n += 1) started.push(await start(api, { messages: MESSAGES, branch: `update-${n}` }))
  expect((await read(api, started[0]?.id ?? '')).statusCode).toBe(200)
  api.hub.end()
  for (const { run } of started) await run
})

test('heartbeats are sent between the chunks', async () => {
  const api = await openEventApi({ heartbeatMs: 30 })
  const response = await fetch(`${api.origin}/v1/agent/${api.project.id}/job`, {
    method: 'POST',
    headers: { authorization: api.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: MESSAGES }),
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n: \n\n')) break
  }
  expect(text).toContain('"type":"start"')
})

test('a stream whose key is revoked says that the job has not ended', async () => {
  const api = await openEventApi({ keyCheckMs: 50 })
  const { id, run } = await start(api)
  await revokeKey({ ...api.database, audit: COMMAND_LINE }, api.keyId)
  const ended = await run
  expect([ended.isDone, ended.errors]).toEqual([true, [expect.stringMatching(/ended before the job did/)]])
  expect(ended.data['data-session']).toBeUndefined()
  expect(await api.database.prisma.job.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'active' })
})

test('a process that shuts down ends the streams immediately', async () => {
  const api = await openEventApi({}, {})
  const { run } = await start(api)
  await api.app.close()
  expect((await run).errors).toEqual([expect.stringMatching(/ended before the job did/)])
})

test('when no further stream can be opened, no job is created', async () => {
  const api = await openEventApi({ maxStreams: 2 })
  const { run } = await start(api)
  const count = () => api.database.prisma.job.count({ where: { projectId: api.project.id } })
  const before = await count()
  expectError(await post(api, { messages: MESSAGES }), 503, 'too_many_streams')
  expect(await count()).toBe(before)
  api.hub.end()
  await run
})

test('a repeated Idempotency-Key replays the stream of the same job, and a different body returns 422', async () => {
  const api = await openEventApi()
  const headers = { 'idempotency-key': 'k-1' }
  const body = { messages: MESSAGES, branch: 'weekly' }
  const first = post(api, body, headers)
  const named = { projectId: api.project.id, options: { path: ['branch'], equals: 'corrigenda/weekly' } }
  await expect.poll(() => api.database.prisma.job.count({ where: named })).toBe(1)
  const { id } = await api.database.prisma.job.findFirstOrThrow({ where: named })
  await endJob(api.database, id)
  const [one, again] = [await first, await post(api, body, headers)]
  expect(again.body).toBe(one.body)
  expect([one.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
  for (const response of [one, again]) {
    expect([response.headers['x-session-id'], response.headers['x-branch-name']]).toEqual([id, 'corrigenda/weekly'])
  }
  expectError(await post(api, { ...body, asDraft: true }, headers), 422, 'idempotency_mismatch')
  const { job, run } = await start(api, body)
  expect(Object(job.options).branch).toMatch(/^corrigenda\/weekly-[0-9a-z]{8}$/)
  api.hub.end()
  await run
})

test('one message is the prompt, and options that clients send as strings are understood', async () => {
  const api = await openEventApi()
  const one = await start(api, { messages: [{ role: 'system', content: 'Fix it.', id: 'm' }], asDraft: 'true', x: 1 })
  expect(one.job.runs[0]?.prompt).toBe('Fix it.')
  expect(one.job).toMatchObject({ model: 'm-1', options: { draft: true } })
  const two = await start(api, { messages: MESSAGES, asDraft: 'false', model: 'm-2', branch: 'docs/größe' })
  expect(two.job).toMatchObject({ model: 'm-2', options: { draft: false } })
  const three = await start(api, { messages: MESSAGES })
  expect(three.job.options).toEqual({})
  api.hub.end()
  expect((await two.run).branch).toBe('docs/gr%C3%B6%C3%9Fe')
  expect((await three.run).branch).toBe(`corrigenda/${three.id}`)
})

test('returns the errors of version 2, with the same body and code', async () => {
  const api = await openEventApi()
  const invalid = [
    {},
    { messages: [] },
    { messages: 'x' },
    { messages: [{ role: 'user' }] },
    { messages: [{ role: 'tool', content: 'x' }] },
    { messages: [{ role: 'user', content: ' ' }] },
    { messages: [{ role: 'user', content: '\u0000' }] },
    { messages: MESSAGES, branch: 'a..b' },
    { messages: MESSAGES, asDraft: 'yes' },
    { messages: MESSAGES, model: 'opus' },
  ]
  for (const body of invalid) expectError(await post(api, body), 400, 'invalid_request')
  const refuse = async (...contents: string[]) =>
    (await post(api, { messages: contents.map((content) => ({ role: 'user', content })) })).json().error
  expect(await refuse(' ', '')).toMatch(/^The messages contain no text\./)
  expect(await refuse('x'.repeat(100_001))).toMatch(
    /"messages": must not contain a word of more than 100,000 characters/,
  )
  expectError(await post(api, { messages: MESSAGES }, { authorization: 'Bearer none' }), 401, 'unauthorized')
  const other = await api.makeProject()
  expectError(await post(api, { messages: MESSAGES }, {}, other.id), 404, 'not_found')
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  const asReader = { authorization: `Bearer ${reader.key}` }
  expectError(await post(api, { messages: MESSAGES }, asReader), 403, 'scope_missing')
  const stranger = { authorization: `Bearer ${(await api.makeKey(other.id)).key}` }
  for (const path of [`job/${api.id}`, 'jobs']) {
    const url = `/v1/agent/${api.project.id}/${path}`
    expect((await api.get(url, asReader)).statusCode).toBe(200)
    expectError(await api.get(url, stranger), 404, 'not_found')
    expectError(await api.get(url, { authorization: 'Bearer none' }), 401, 'unauthorized')
  }
  for (const id of ['x', `job_${'0'.repeat(26)}`]) expectError(await read(api, id), 404, 'not_found')
  for (const query of ['take=0', 'take=101', 'skip=-1', 'skip=x']) {
    expectError(await api.get(`/v1/agent/${api.project.id}/jobs?${query}`), 400, 'invalid_request')
  }
})

test('jobs of version 1 count toward the hourly quota of the project', async () => {
  const api = await openEventApi({}, { quota: { limit: 2, windowSeconds: 3600 } })
  const { run } = await start(api)
  const refused = await post(api, { messages: MESSAGES, asDraft: true })
  expectError(refused, 429, 'quota_exceeded')
  expect(refused.headers).toMatchObject({
    'retry-after': expect.any(String),
    ratelimit: expect.stringContaining('r=0'),
  })
  api.hub.end()
  await run
})

test('lists the jobs of the project in pages, newest first', async () => {
  const api = await openEventApi()
  const ids = [api.id]
  for (let n = 0; n < 13; n += 1) ids.unshift((await api.post({ prompt: 'x' })).json().id)
  const list = async (query = '') => {
    const page = AgentSessionList.parse((await api.get(`/v1/agent/${api.project.id}/jobs${query}`)).json())
    return page.allSessions.map(({ sessionId }) => sessionId)
  }
  expect(await list()).toEqual(ids.slice(0, 12))
  expect(await list('?skip=12')).toEqual(ids.slice(12))
  expect(await list('?skip=2&take=3')).toEqual(ids.slice(2, 5))
  expect(await list('?skip=1000&take=100')).toEqual([])
})
