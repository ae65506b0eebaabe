import { JobRequest } from '@corrigenda/contracts'
import { openMonitor } from '@corrigenda/core/db'
import { openTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { ApiDeps } from '../../http/deps.ts'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

/** Connects the reference client to the real application on a separate port. */
async function open(
  options: { scopes?: ('jobs:read' | 'jobs:write')[] } = {},
  overrides: Parameters<typeof openTestApi>[0] = {},
) {
  const api = await openTestApi(overrides)
  const { key } = options.scopes ? await api.makeKey(api.project.id, options) : api
  const origin = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const connect = async (bearer: string) => {
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${bearer}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }))
    onTestFinished(() => client.close())
    return client
  }
  const client = await connect(key)
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const text = (content as { text: string }[])[0]?.text ?? ''
    return isError ? { error: text } : JSON.parse(text)
  }
  return { api, client, call, connect }
}

test('a client can create a job, wait for it, read its changes, list jobs, send a follow-up and cancel the job', async () => {
  const { api, client, call } = await open()
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    ...['create_job', 'wait_for_job', 'get_job', 'get_changes', 'list_jobs', 'send_message', 'cancel_job'],
  ])
  const job = await call('create_job', { prompt: 'Fix the typo.', title: 'docs: a typo' })
  expect(job).toMatchObject({ status: 'active', phase: 'queued' })
  expect(await call('wait_for_job', { id: job.id, seconds: 1 })).toMatchObject({ status: 'active' })
  const waiting = call('wait_for_job', { id: job.id, seconds: 50 })
  await endJob(api.database, job.id)
  expect(await waiting).toMatchObject({ status: 'completed', outcome: 'no_changes' })
  expect(await call('get_changes', { id: job.id })).toMatchObject({ files: [], patch: '' })
  expect((await call('list_jobs', { status: 'completed' })).jobs.map(({ id }: { id: string }) => id)).toEqual([job.id])
  expect(await call('send_message', { id: job.id, prompt: 'And the next one.' })).toMatchObject({ status: 'active' })
  expect(await api.database.prisma.jobMessage.findMany({ where: { jobId: job.id } })).toMatchObject([
    { createdBy: api.keyId },
  ])
  expect(await call('cancel_job', { id: job.id })).toMatchObject({ outcome: 'cancelled' })
  expect(await call('get_job', { id: job.id })).toMatchObject({ failure: { code: 'cancelled' } })
})

test('limits the calls of a project that wait at the same time', async () => {
  const { api, call } = await open()
  const job = await call('create_job', { prompt: 'Fix the typo.' })
  const waiting = Array.from({ length: 25 }, () => call('wait_for_job', { id: job.id, seconds: 50 }))
  const refused = await Promise.race(waiting)
  expect(refused).toEqual({ error: expect.stringMatching(/At most 20 calls .* \(too_many_streams\)/) })
  await endJob(api.database, job.id)
  const answers = await Promise.all(waiting)
  expect(answers.filter((one) => 'error' in one)).toHaveLength(5)
  expect(await call('wait_for_job', { id: job.id, seconds: 1 })).toMatchObject({ status: 'completed' })
})

test('a repeated call with the same idempotency key has no further effect', async () => {
  const { api, call } = await open()
  const request = { prompt: 'Fix the typo.', idempotencyKey: 'call-1' }
  const job = await call('create_job', request)
  expect(await call('create_job', request)).toEqual(job)
  expect(await call('create_job', { ...request, prompt: 'Other.' })).toEqual({
    error: expect.stringContaining('idempotency_mismatch'),
  })
  const message = { id: job.id, prompt: 'And this.', idempotencyKey: 'call-2' }
  await call('send_message', message)
  await call('send_message', message)
  expect(await api.database.prisma.jobMessage.count({ where: { jobId: job.id } })).toBe(1)
  expect(await api.database.prisma.job.count({ where: { projectId: api.project.id } })).toBe(1)
  expect(await call('create_job', { ...request, idempotencyKey: 'é' })).toMatchObject({ error: expect.any(String) })
})

test('create_job accepts every field of a job creation request', async () => {
  const { api, client, call } = await open()
  const options = {
    draft: false,
    branch: 'docs/x',
    title: 'T',
    labels: ['one'],
    sources: [{ name: 'docs', since: 'last-job' }],
  }
  const own = { model: 'm-2', metadata: { ticket: 'D-1' } }
  const request: Required<JobRequest> = { prompt: 'Do it.', ref: 'next', dedupe: true, ...own, ...options }
  const fields = Object.keys(JobRequest.shape)
  const { tools } = await client.listTools()
  const { inputSchema } = tools.find(({ name }) => name === 'create_job') ?? {}
  expect(Object.keys(inputSchema?.properties ?? {})).toEqual([...fields, 'idempotencyKey'])
  expect(Object.keys(request).sort()).toEqual([...fields].sort())
  const job = await call('create_job', request)
  expect(job).toMatchObject(own)
  expect(await api.database.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
    baseBranch: 'next',
    options,
  })
  expect(await call('create_job', request)).toEqual({ error: expect.stringContaining('duplicate_job') })
})

test('reports inaccessible jobs, missing scopes and invalid input as tool errors, so that the model receives them', async () => {
  const { api, call, connect } = await open({ scopes: ['jobs:read'] })
  const other = await api.makeProject()
  const foreign = (
    await api.post({ prompt: 'x' }, { projectId: other.id, key: (await api.makeKey(other.id)).key })
  ).json()
  for (const id of ['job_x', 'job_01kgs3v2n8q4r6t8w0y2a4c6e8', foreign.id]) {
    expect(await call('get_job', { id })).toEqual({ error: 'Not found. (not_found)' })
  }
  expect(await call('create_job', { prompt: 'x' })).toEqual({
    error: expect.stringMatching(/jobs:write.*scope_missing/),
  })
  expect(await call('list_jobs', { limit: 1000 })).toEqual({ error: expect.stringContaining('limit') })
  await expect(connect('cgd_nothing')).rejects.toThrow(/401|Unauthorized|valid API key/)
})

test('the endpoint requires a key and supports only POST', async () => {
  const { app, key } = await openTestApi()
  expectError(await app.inject({ method: 'POST', url: '/mcp', payload: {} }), 401, 'unauthorized')
  expectError(await app.inject({ method: 'GET', url: '/mcp' }), 405, 'method_not_allowed')
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
  const bad = await app.inject({ method: 'POST', url: '/mcp', headers, payload: { not: 'json-rpc' } })
  expect(bad.statusCode).toBe(400)
})

test('a wait can exceed the time limit for a database read', async () => {
  const monitor = openMonitor({ url: inject('postgresUrl'), limitMs: 10_000, workLimitMs: 60_000 })
  onTestFinished(() => monitor.close())
  let [started, running] = [0, 0]
  const run = async <T>(work: () => Promise<T>) => {
    started += 1
    running += 1
    return await monitor.run(work).finally(() => {
      running -= 1
    })
  }
  const { api, call } = await open({}, { monitor: { ...monitor, run } })
  const job = await call('create_job', { prompt: 'Fix the typo.' })
  started = 0
  let isWaiting = true
  const waiting = call('wait_for_job', { id: job.id, seconds: 50 }).finally(() => {
    isWaiting = false
  })
  // One query authenticates the request, and the others read the job. No query is running between
  // these reads.
  await expect.poll(() => started > 3 && running === 0, { interval: 5 }).toBe(true)
  expect(isWaiting).toBe(true)
  await endJob(api.database, job.id)
  expect(await waiting).toMatchObject({ status: 'completed' })
})

test('logs internal tool errors without exposing them, and limits the number of calls in a batch', async () => {
  const broken = { job: { findFirst: () => Promise.reject(new Error('secret detail')) } }
  const prisma = openTestDatabase(10).prisma.$extends({ query: broken }) as unknown as ApiDeps['prisma']
  const { api, call } = await open({}, { prisma })
  expect(await call('get_job', { id: `job_${'0'.repeat(26)}` })).toEqual({
    error: expect.stringMatching(/^An internal error occurred\. .*\(internal_error\)$/),
  })
  expect(api.lines.some((line) => line.includes('secret detail'))).toBe(true)
  const headers = { authorization: `Bearer ${api.key}`, accept: 'application/json, text/event-stream' }
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const send = (count: number) =>
    api.app.inject({ method: 'POST', url: '/mcp', headers, payload: Array.from({ length: count }, (_, n) => ping(n)) })
  expect((await send(2)).statusCode).toBe(200)
  expectError(await send(11), 400, 'invalid_request')
})
