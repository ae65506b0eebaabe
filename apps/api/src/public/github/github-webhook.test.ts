import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const SECRET = 'a-secret-of-the-git-host'

/** Opens the API with a job whose pull request is not due to be polled for a day. */
async function open() {
  const api = await openTestApi({ githubWebhookSecret: SECRET })
  const { id } = (await api.post({ prompt: 'x' })).json()
  const number = Math.floor(Math.random() * 1e9) + 1
  const commit = randomBytes(20).toString('hex')
  await api.database.prisma.job.update({ where: { id }, data: { headCommit: commit } })
  const url = `https://github.com/acme/docs/pull/${number}`
  const pullRequest = { number, url, branch: `corrigenda/${id}`, state: 'open', draft: false } as const
  await endJob(api.database, id, { kind: 'changed', pullRequest })
  const rest = () =>
    api.database.prisma.$executeRaw`
      UPDATE pull_request_watches SET next_look_at = now() + interval '1 day', looked_at = now() - interval '1 hour' WHERE job_id = ${id}`
  await rest()
  const send = (event: object | string, headers: Record<string, string> = {}) => {
    const payload = typeof event === 'string' ? event : JSON.stringify(event)
    const signature = `sha256=${createHmac('sha256', SECRET).update(payload).digest('hex')}`
    return api.app.inject({
      method: 'POST',
      url: '/v1/github/webhook',
      payload,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature, ...headers },
    })
  }
  const isDue = async () => {
    const [row] = await api.database.prisma.$queryRaw<{ due: boolean }[]>`
      SELECT coalesce(next_look_at <= now() + interval '6 seconds', false) AS due FROM pull_request_watches WHERE job_id = ${id}`
    return row?.due
  }
  return { api, id, number, commit, send, isDue, rest, repository: { html_url: 'https://github.com/Acme/Docs' } }
}

test('events about a pull request, its commit or its branch schedule a poll of the pull request', async () => {
  const { id, number, commit, send, isDue, rest, repository } = await open()
  for (const event of [
    { action: 'closed', repository, pull_request: { number, merged: true } },
    { repository, check_run: { head_sha: commit, pull_requests: [] } },
    { repository, check_suite: { head_sha: commit, pull_requests: [{ number }] } },
    { repository, sha: commit, state: 'success' },
    { repository, ref: `refs/heads/corrigenda/${id}`, after: '0'.repeat(40) },
    // Events about another author's commit on the branch.
    { repository, sha: 'f'.repeat(40), state: 'failure', branches: [{ name: 'main' }, { name: `corrigenda/${id}` }] },
    {
      repository,
      check_suite: { head_sha: 'f'.repeat(40), head_branch: `corrigenda/${id}`, pull_requests: [] },
    },
  ]) {
    await rest()
    const response = await send(event)
    expect([response.statusCode, response.json()]).toEqual([202, { woken: 1 }])
    expect(await isDue(), Object.keys(event).join()).toBe(true)
  }
})

test('other events do not schedule a poll', async () => {
  const { number, send, isDue, repository } = await open()
  for (const event of [
    { zen: 'Keep it logically awesome.' },
    { repository, pull_request: { number: number + 1 } },
    { repository: { html_url: 'https://github.com/acme/other' }, pull_request: { number } },
    { repository, pull_request: { number: `${number}; DROP TABLE jobs` }, check_run: { head_sha: '%' } },
    { repository: 'x' },
    // A number outside the range of the database column.
    { repository, pull_request: { number: 3_000_000_000 } },
    { repository, ref: 'refs/heads/a\u0000b' },
    { repository: { html_url: 'https://github.com/acme/\u0000' }, pull_request: { number } },
    { repository, sha: 'f'.repeat(40), branches: [{ name: '\u0000' }] },
    [],
    null,
  ]) {
    const response = await send(JSON.stringify(event))
    expect([response.statusCode, response.json()], JSON.stringify(event)).toEqual([202, { woken: 0 }])
  }
  expect(await isDue()).toBe(false)
})

test('a replayed event does not schedule another poll of the same pull request within seconds', async () => {
  const { api, id, number, send, repository } = await open()
  await api.database.prisma.$executeRaw`UPDATE pull_request_watches SET looked_at = now() WHERE job_id = ${id}`
  await send({ repository, pull_request: { number } })
  const { nextPollAt, polledAt } = await api.database.prisma.pullRequestWatch.findUniqueOrThrow({
    where: { jobId: id },
  })
  expect((nextPollAt?.getTime() ?? 0) - (polledAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(5_000)
})

test('rejects events with an invalid signature or invalid JSON', async () => {
  const { api, number, send, isDue, repository } = await open()
  const event = { repository, pull_request: { number } }
  const forged = `sha256=${createHmac('sha256', 'a-secret-of-another-host').update(JSON.stringify(event)).digest('hex')}`
  for (const signature of [forged, 'sha256=', '', 'sha1=x']) {
    expectError(await send(event, { 'x-hub-signature-256': signature }), 401, 'unauthorized')
  }
  // A valid signature, but for different bytes.
  const spaced = JSON.stringify(event, null, 1)
  const signature = `sha256=${createHmac('sha256', SECRET).update(JSON.stringify(event)).digest('hex')}`
  expectError(await send(spaced, { 'x-hub-signature-256': signature }), 401, 'unauthorized')
  expectError(await send('not json'), 400, 'invalid_request')
  expectError(await send(event, { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'unsupported_media_type')
  expect(await isDue()).toBe(false)
  expect(api.lines.join('\n')).not.toContain(SECRET)
})

test('a repeated delivery causes only one poll, and a payload of more than 5 MB is rejected before it is read', async () => {
  const { api, id, number, send, repository } = await open()
  const event = { repository, pull_request: { number } }
  const headers = { 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }
  const due = async () =>
    (await api.database.prisma.pullRequestWatch.findUniqueOrThrow({ where: { jobId: id } })).nextPollAt
  expect((await send(event, headers)).json()).toEqual({ woken: 1 })
  await api.database.prisma.$executeRaw`UPDATE pull_request_watches SET looked_at = now() WHERE job_id = ${id}`
  expect((await send(event, headers)).json()).toEqual({ woken: 1 })
  const first = await due()
  await send(event, headers)
  expect(await due()).toEqual(first)
  const refused = await send({ ...event, padding: 'x'.repeat(5 * 1_048_576) })
  expectError(refused, 413, 'body_too_large')
  expect(refused.json().error).toBe('The body is too large. It can have up to 5 MiB.')
})

test('the webhook endpoint does not exist if no secret is configured', async () => {
  const api = await openTestApi()
  const response = await api.app.inject({ method: 'POST', url: '/v1/github/webhook', payload: {} })
  expectError(response, 404, 'unknown_path')
})
