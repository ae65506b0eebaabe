import { JOB_OPTION_LIST, type JobOptionKind, JobRequest } from '@corrigenda/contracts'
import { openMonitor } from '@corrigenda/core/db'
import { appendEvent } from '@corrigenda/core/internal/job-record/append-event'
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
  overrides?: Parameters<typeof openTestApi>[0],
) {
  const api = await openTestApi(overrides)
  const { key } = options.scopes ? await api.makeKey(api.project.id, options) : api
  const origin = await api.listen()
  const connect = async (bearer: string) => {
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${bearer}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }))
    onTestFinished(() => client.close())
    return client
  }
  const client = await connect(key)
  // With the list, the client checks each result against the tool's schema.
  await client.listTools()
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    const text = (content as { text: string }[])[0]?.text ?? ''
    if (isError) return { error: text }
    expect(structuredContent).toEqual(JSON.parse(text))
    return JSON.parse(text)
  }
  return { api: { ...api, origin }, client, call, connect }
}

test('a client can create a job, wait for it, read its changes, list jobs, send a follow-up, and cancel, retry and archive the job', async () => {
  const { api, client, call } = await open()
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'create_job',
    'wait_for_job',
    'get_job',
    'get_changes',
    'list_jobs',
    'send_message',
    'cancel_job',
    'retry_job',
    'archive_job',
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
  const retry = { id: job.id, idempotencyKey: 'retry-1' }
  const retried = await call('retry_job', retry)
  expect(retried).toMatchObject({ status: 'active', retryOf: job.id })
  expect(await call('retry_job', retry)).toEqual(retried)
  expect(await call('archive_job', { id: retried.id })).toEqual({ error: expect.stringContaining('(job_active)') })
  expect(await call('archive_job', { id: job.id })).toMatchObject({ status: 'archived' })
  expect(await api.database.prisma.job.count({ where: { projectId: api.project.id } })).toBe(2)
})

test('every tool has a schema for its output, which allows the fields of later versions', async () => {
  const { client } = await open()
  for (const { name, outputSchema } of (await client.listTools()).tools) {
    expect([name, outputSchema?.type]).toEqual([name, 'object'])
    expect(JSON.stringify(outputSchema)).not.toContain('"additionalProperties":false')
  }
})

test('a call that waits reports the events of the job, if the client asks for progress', async () => {
  const { api, client, call } = await open()
  const { id } = await call('create_job', { prompt: 'Fix the typo.' })
  const received: { progress: number; total?: number | undefined; message?: string | undefined }[] = []
  const waiting = client.callTool({ name: 'wait_for_job', arguments: { id, seconds: 50 } }, undefined, {
    onprogress: (progress) => void received.push(progress),
  })
  const messages = () => received.map(({ message }) => message)
  await expect.poll(messages).toEqual(['queued: job.created'])
  const data = { tool: 'edit', subject: 'index.mdx' }
  await api.database.prisma.$transaction((tx) => appendEvent(tx, id, { type: 'tool.called', data }))
  await expect.poll(() => messages().at(-1)).toBe('queued: tool.called edit index.mdx')
  await endJob(api.database, id)
  expect((await waiting).structuredContent).toMatchObject({ id, status: 'completed' })
  expect(received.map(({ total }) => total)).toEqual(received.map(() => 50))
  const times = received.map(({ progress }) => progress)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  // Errors before the wait are results as well.
  const missing = { name: 'wait_for_job', arguments: { id: `job_${'0'.repeat(26)}` } }
  const refused = await client.callTool(missing, undefined, { onprogress: () => {} })
  expect([refused.isError, refused.content]).toEqual([true, [{ type: 'text', text: 'Not found. (not_found)' }]])
})

test('a call that waits ends when the client disconnects, also as a stream', async () => {
  const { api, client, call } = await open()
  const { id } = await call('create_job', { prompt: 'Fix the typo.' })
  const started = new Set<number>()
  const waiting = Array.from({ length: 20 }, (_, n) => {
    const request = { name: 'wait_for_job', arguments: { id, seconds: 50 } }
    return client.callTool(request, undefined, { onprogress: () => void started.add(n) }).catch(() => 'ended')
  })
  await expect.poll(() => started.size).toBe(20)
  const refused = { error: expect.stringContaining('too_many_streams') }
  expect(await call('wait_for_job', { id, seconds: 1 })).toEqual(refused)
  await client.close()
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'ended'))
  const other = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${api.key}` } }
  await other.connect(new StreamableHTTPClientTransport(new URL(`${api.origin}/mcp`), { requestInit }))
  onTestFinished(() => other.close())
  const again = () => other.callTool({ name: 'wait_for_job', arguments: { id, seconds: 1 } })
  await expect.poll(async () => (await again()).isError ?? false).toBe(false)
})

test('a client can list and fill in the prompts', async () => {
  const { client } = await open()
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['document_change', 'review_job'])
  for (const { name, arguments: [argument] = [] } of prompts) {
    const value = 'the $& flag'
    const { messages } = await client.getPrompt({ name, arguments: { [argument?.name ?? '']: value } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.stringContaining(value) } }])
    await expect(client.getPrompt({ name, arguments: {} })).rejects.toThrow(/The argument "\w+" is missing/)
  }
  await expect(client.getPrompt({ name: 'other' })).rejects.toThrow('There is no prompt "other"')
  await expect(client.callTool({ name: 'other' })).rejects.toThrow('There is no tool "other"')
})

test('the jobs and the changes of the project are resources', async () => {
  const { api, client, call, connect } = await open()
  const job = await call('create_job', { prompt: 'Fix the typo.' })
  const uri = `corrigenda://jobs/${job.id}`
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ uri, name: job.id, description: 'active', mimeType: 'application/json' }])
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'corrigenda://jobs/{id}',
    'corrigenda://jobs/{id}/changes',
  ])
  const read = async (from: typeof client, address: string) => (await from.readResource({ uri: address })).contents
  const [record] = (await read(client, uri)) as { text: string }[]
  expect(JSON.parse(record?.text ?? '')).toEqual(await call('get_job', { id: job.id }))
  expect(await read(client, `${uri}/changes`)).toEqual([{ uri: `${uri}/changes`, mimeType: 'text/x-diff', text: '' }])

  const other = await connect((await api.makeKey((await api.makeProject()).id)).key)
  expect((await other.listResources()).resources).toEqual([])
  for (const address of [uri, `${uri}/changes`, `${uri}/x`, 'corrigenda://jobs/job_x', 'file:///etc/passwd']) {
    await expect(read(other, address), address).rejects.toMatchObject({ code: -32002 })
  }
  const writer = await connect((await api.makeKey(api.project.id, { scopes: ['jobs:write'] })).key)
  await expect(read(writer, uri)).rejects.toThrow(/jobs:read.*scope_missing/)
  await expect(writer.listResources()).rejects.toThrow(/jobs:read.*scope_missing/)
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
  const values: Readonly<Record<JobOptionKind, unknown>> = {
    text: 'docs/x',
    switch: true,
    choice: 'fail',
    list: ['one'],
    pairs: { ticket: 'D-1' },
    sources: [{ name: 'docs', since: 'last-job' }],
  }
  const request = {
    prompt: 'Do it.',
    ...Object.fromEntries(JOB_OPTION_LIST.map(([name, { kind }]) => [name, values[kind]])),
  }
  const fields = Object.keys(JobRequest.shape)
  const { tools } = await client.listTools()
  const { inputSchema } = tools.find(({ name }) => name === 'create_job') ?? {}
  expect(Object.keys(inputSchema?.properties ?? {})).toEqual([...fields, 'idempotencyKey'])
  const job = await call('create_job', request)
  expect(job).toMatchObject({ model: values.text, metadata: values.pairs })
  expect(await api.database.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
    baseBranch: values.text,
    options: JobRequest.omit({ prompt: true, model: true, ref: true, dedupe: true, metadata: true }).parse(request),
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
  expect(await call('list_jobs', { limit: 1000, status: 'done' })).toEqual({
    error: expect.stringMatching(
      /^The arguments of list_jobs are not valid\. "status": Invalid option.*\. "limit": Too big: [^[\]{}]*\. \(invalid_request\)$/,
    ),
  })
  expect(await call('get_job')).toEqual({ error: expect.stringContaining('"id": Invalid input: expected string') })
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
  expect(await call('get_changes', { id: `job_${'0'.repeat(26)}` })).toEqual({
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
