import { AgentJob } from '@corrigenda/contracts'
import { claimRun, finishRun } from '@corrigenda/core/runs'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

test('creating a job returns the complete job, which can be read at both paths', async () => {
  const api = await openTestApi()
  const created = await api.post({ prompt: 'Fix it.', unknown: 1, metadata: { ticket: 'DOC-1' } })
  expect(created.statusCode).toBe(201)
  expect(created.headers['content-type']).toBe('application/json; charset=utf-8')
  const job = AgentJob.parse(created.json())
  expect(job).toMatchObject({ status: 'active', prLink: null, archivedAt: null, metadata: { ticket: 'DOC-1' } })
  expect(job.source).toEqual({ repository: 'https://github.com/acme/docs', ref: null })
  const [v2, other] = [
    await api.get(`/v2/agent/${api.project.id}/job/${job.id}`),
    await api.get(`/api/agent/v2/${api.project.id}/job/${job.id}`),
  ]
  expect([v2.statusCode, v2.body]).toEqual([200, other.body])
  expect(v2.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(v2.json()).toEqual(created.json())
})

test('cancels an active job immediately and idempotently, and returns 409 if the job has already ended', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}`
  const authorization = `Bearer ${api.key}`
  const cancel = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'POST', url: `${url}/cancel`, headers: { authorization, ...headers } })
  const first = await cancel(path)
  expect(first.statusCode).toBe(200)
  expect(AgentJob.parse(first.json())).toMatchObject({ status: 'failed', outcome: 'cancelled', prLink: null })
  // A request to the alias path with a Content-Type but no body.
  const again = await cancel(`/api/agent/v2/${api.project.id}/job/${id}`, { 'content-type': 'application/json' })
  expect([again.statusCode, again.body]).toEqual([200, first.body])
  expect((await api.get(path)).json()).toEqual(first.json())
  const other = (await api.post({ prompt: 'x' })).json()
  const run = await api.database.prisma.run.findFirstOrThrow({ where: { jobId: other.id } })
  const rules = { ...api.database, leaseSeconds: 20, maxAttempts: 10, projectConcurrency: 20 }
  const claim = await claimRun(rules, { owner: 'test', runId: run.id })
  await finishRun(api.database, claim!, { kind: 'no_changes', summary: '', checks: [] })
  expectError(await cancel(`/v2/agent/${api.project.id}/job/${other.id}`), 409, 'job_ended')
  expectError(await cancel(`/v2/agent/${api.project.id}/job/job_${'0'.repeat(26)}`), 404, 'not_found')
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  expectError(await cancel(path, { authorization: `Bearer ${reader.key}` }), 403, 'scope_missing')
})

test('events are returned as a page, in order', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}/events`
  expect((await api.get(path)).json().events).toEqual([
    { seq: 1, type: 'job.created', createdAt: expect.any(String), data: {} },
  ])
  expect((await api.get(`${path}?after=1`)).json()).toEqual({ events: [] })
  expectError(await api.get(`${path}?after=-1`), 400, 'invalid_request')
})

test('the model, title, branch and other options are stored with the job', async () => {
  const api = await openTestApi()
  const { id } = (
    await api.post({
      prompt: 'x',
      model: 'claude-opus-5-5',
      ref: 'next',
      title: 'T',
      branch: 'docs/t',
      draft: true,
      labels: ['docs'],
    })
  ).json()
  const row = await api.database.prisma.job.findUniqueOrThrow({ where: { id } })
  expect(row).toMatchObject({
    model: 'claude-opus-5-5',
    baseBranch: 'next',
    options: { title: 'T', branch: 'docs/t', draft: true, labels: ['docs'] },
  })
})

const invalid: [string, unknown][] = [
  ['missing prompt', {}],
  ['empty prompt', { prompt: '' }],
  ['blank prompt', { prompt: ' \n\t' }],
  ['object', { prompt: {} }],
  ['NUL', { prompt: 'a\u0000b' }],
  ['lone surrogate', '{"prompt":"\\ud800"}'],
  ['array', []],
  ['bad branch', { prompt: 'x', ref: '../x' }],
  ['bad metadata', { prompt: 'x', metadata: { a: 1 } }],
  ['two-line title', { prompt: 'x', title: 'a\nb' }],
  ['NUL in the title', { prompt: 'x', title: 'a\u0000b' }],
  ['escape sequence in the title', { prompt: 'x', title: '\u001b[2J' }],
  ['lone surrogate in the title', '{"prompt":"x","title":"\\ud800"}'],
  ['NUL in a label', { prompt: 'x', labels: ['a\u0000'] }],
  ['NUL in a metadata value', { prompt: 'x', metadata: { a: '\u0000' } }],
  ['NUL in a metadata key', { prompt: 'x', metadata: { 'a\u0000': 'b' } }],
  ['lone surrogate in a branch', '{"prompt":"x","branch":"\\ud800"}'],
  ['lone surrogate in the base branch', '{"prompt":"x","ref":"\\ud800"}'],
]

test('returns 400 for an invalid request', async () => {
  const api = await openTestApi()
  for (const [name, body] of invalid) {
    const { statusCode, headers } = await api.post(body)
    expect([name, statusCode, headers['x-error-code']]).toEqual([name, 400, 'invalid_request'])
  }
})

test('returns 400 for bodies that are not JSON in UTF-8, and for prototype keys', async () => {
  const api = await openTestApi()
  for (const body of [
    '{"prompt": ',
    '',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    '{"prompt":"x","__proto__":{"a":1}}',
  ]) {
    expectError(await api.post(body), 400, 'invalid_json')
  }
})

test('accepts prompts with Unicode, markup or control characters, and with a million characters', async () => {
  const api = await openTestApi()
  for (const prompt of [
    'x',
    ' x\n',
    '你好 🙂',
    'word '.repeat(200_000),
    '<script>alert(1)</script>',
    '\u0001 control',
  ]) {
    const response = await api.post({ prompt })
    expect(response.statusCode, prompt.slice(0, 20)).toBe(201)
    const run = await api.database.prisma.run.findFirstOrThrow({ where: { jobId: response.json().id } })
    expect(run.prompt === prompt).toBe(true)
  }
})

test('rejects unsupported media types, large bodies, unsupported methods and invalid paths', async () => {
  const api = await openTestApi()
  const at = `/v2/agent/${api.project.id}/job`
  expectError(await api.post('prompt=x', { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type')
  expectError(await api.post({ prompt: 'x'.repeat(1_100_000) }), 413, 'body_too_large')
  for (const method of ['PUT', 'DELETE', 'PATCH', 'GET'] as const) {
    const response = await api.app.inject({ method, url: at, headers: { authorization: `Bearer ${api.key}` } })
    expectError(response, 405, 'method_not_allowed')
    expect(response.headers.allow).toBe('POST')
  }
  expectError(await api.get('/v1/nope'), 404, 'unknown_path')
  expectError(await api.get('/v2/agent/%zz/job/x'), 400, 'invalid_url')
  expectError(await api.get(`/v2/agent/${'a'.repeat(9000)}/job/x`), 414, 'url_too_long')
})

test('requests beyond the quota are refused until it is free again, and rejected requests do not count', async () => {
  const api = await openTestApi({ quota: { limit: 2, windowSeconds: 3600 } })
  await api.post({ prompt: 'x' }, { key: 'wrong' })
  await api.post({ prompt: '' })
  for (let n = 0; n < 2; n += 1) expect((await api.post({ prompt: 'x' })).statusCode).toBe(201)
  const refused = await api.post({ prompt: 'x' })
  expectError(refused, 429, 'quota_exceeded')
  expect(refused.headers['ratelimit-policy']).toBe('"create";q=2;w=3600')
  expect(refused.headers.ratelimit).toMatch(/^"create";r=0;t=\d+$/)
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(3500)
  expect(wait).toBeLessThanOrEqual(3600)
  const other = await api.makeProject()
  const otherKey = await api.makeKey(other.id)
  const free = await api.post({ prompt: 'x' }, { projectId: other.id, key: otherKey.key })
  expect([free.statusCode, free.headers.ratelimit]).toEqual([201, expect.stringMatching(/^"create";r=1;t=\d+$/)])
})

test('a repeated Idempotency-Key replays the same response or returns 422 for a different body, and a malformed key returns 400', async () => {
  const api = await openTestApi()
  const headers = { 'idempotency-key': 'order-1' }
  const first = await api.post({ prompt: 'x' }, { headers })
  const again = await api.post('{ "prompt" : "x" }', { headers })
  expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true'])
  expectError(await api.post({ prompt: 'y' }, { headers }), 422, 'idempotency_mismatch')
  expectError(
    await api.post({ prompt: 'x' }, { headers: { 'idempotency-key': 'k'.repeat(256) } }),
    400,
    'invalid_request',
  )
  const other = await api.makeProject()
  const otherKey = await api.makeKey(other.id)
  expect((await api.post({ prompt: 'y' }, { headers, projectId: other.id, key: otherKey.key })).statusCode).toBe(201)
})

test('rejects a duplicate job and names the active job, and rejects new jobs at the open pull request limit', async () => {
  const api = await openTestApi()
  const first = (await api.post({ prompt: 'Fix it.' })).json()
  const again = await api.post({ prompt: ' Fix it.\n', dedupe: true })
  expectError(again, 409, 'duplicate_job')
  expect(again.headers['x-job-id']).toBe(first.id)
  expect(again.json().error).toContain(first.id)
  expect((await api.post({ prompt: 'Fix it.' })).statusCode).toBe(201)
  expectError(await api.post({ prompt: 'Fix it.', dedupe: 'yes' }), 400, 'invalid_request')
  const settings = { policy: { maxOpenPullRequests: 2 } }
  await api.database.prisma.project.update({ where: { id: api.project.id }, data: { settings } })
  expectError(await api.post({ prompt: 'Another.' }), 409, 'too_many_pull_requests')
})

test('rejects a new job when the monthly budget of the project or the instance is used up', async () => {
  const api = await openTestApi({ monthlyBudgetUsd: 0.000001 })
  const { prisma } = api.database
  const { id } = api.project
  await prisma.project.update({ where: { id }, data: { monthlyBudgetUsd: 5 } })
  await prisma.$executeRaw`
    INSERT INTO project_spend VALUES (${id}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 5)`
  const refused = await api.post({ prompt: 'Another.' })
  expectError(refused, 409, 'monthly_budget_exceeded')
  expect(refused.json().error).toMatch(
    /budget of 5 US dollars is used up\. The month ends on \d{4}-\d\d-01 \(00:00 UTC\)/,
  )
  await prisma.project.update({ where: { id }, data: { monthlyBudgetUsd: null } })
  await prisma.$executeRaw`
    INSERT INTO instance_spend VALUES (date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (month) DO UPDATE SET cost_usd = instance_spend.cost_usd + 1`
  expectError(await api.post({ prompt: 'Another.' }), 409, 'monthly_budget_exceeded')
})

test('keeps a safe request id and replaces an unsafe one', async () => {
  const api = await openTestApi()
  expect((await api.get('/healthz', { 'x-request-id': 'abc-123' })).headers['x-request-id']).toBe('abc-123')
  expect((await api.get('/healthz', { 'x-request-id': 'a b' })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('the log contains neither keys nor prompts', async () => {
  const api = await openTestApi()
  await api.post({ prompt: 'canary-prompt-7' })
  await api.post({ prompt: 'x' }, { key: `${api.key.slice(0, -1)}_` })
  const text = api.lines.join('')
  expect(text).toContain('"route":"/v2/agent/:projectId/job"')
  expect(text).not.toContain(api.key.slice(17))
  expect(text).not.toContain('canary-prompt-7')
})
