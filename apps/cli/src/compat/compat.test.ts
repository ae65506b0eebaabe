import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { COMPAT_CHECKS } from './checks.ts'
import { runCompat } from './run-compat.ts'

type Break = (job: Record<string, unknown>, path: string) => unknown

/** A server that keeps to the contract in the smallest way, but for what a test breaks. */
async function serve(breaks: { job?: Break; status?: (status: number, path: string) => number; error?: object } = {}) {
  let count = 0
  const started = new Map<string, number>()
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method = '', url: path = '' } = request
    const answer = (status: number, body: unknown) => {
      response.writeHead(breaks.status?.(status, `${method} ${path}`) ?? status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const fail = (status: number) => answer(status, breaks.error ?? { error: 'No.' })
    const toJob = (id: string, active: boolean) => {
      const job = {
        ...{
          id,
          status: active ? 'active' : 'completed',
          model: 'm',
          createdAt: '2026-01-31T12:00:00.000Z',
          archivedAt: null,
        },
        source: { repository: 'https://github.com/acme/docs', ref: null },
        prLink: active ? null : 'https://github.com/acme/docs/pull/1',
      }
      return breaks.job?.(job, `${method} ${path}`) ?? job
    }
    if (request.headers.authorization !== 'Bearer good') return fail(401)
    let body: unknown
    try {
      body = text === '' ? {} : JSON.parse(text)
    } catch {
      return fail(400)
    }
    const id = /job\/(\w+)/.exec(path)?.[1]
    if (path.startsWith('/v1/project/update/')) return answer(202, { statusId: 'u1' })
    if (path === '/v1/project/update-status/u1') {
      const times = { createdAt: '2026-01-31T12:00:00.000Z', endedAt: null }
      return answer(200, { _id: 'u1', projectId: 'p', ...times, status: 'queued', summary: '', logs: [] })
    }
    if (path.startsWith('/v1/') || (id !== undefined && !started.has(id))) return fail(404)
    if (method === 'POST') {
      const { prompt } = Object(body) as { prompt?: unknown }
      if (typeof prompt !== 'string' || prompt === '') return fail(400)
      if (id !== undefined) return answer(200, toJob(id, true))
      count += 1
      if (count > 100) return fail(429)
      started.set(`j${count}`, Date.now())
      return answer(201, toJob(`j${count}`, true))
    }
    return answer(200, toJob(id ?? '', Date.now() - (started.get(id ?? '') ?? 0) < 100))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const input = { url, apiKey: 'good', projectId: 'p', prompt: 'x', jobMs: 5_000, pollMs: 20, exhaustQuota: true }
  return (await runCompat(input)).filter(({ state }) => state === 'failed').map(({ name }) => name)
}

test('a server that keeps to the contract passes', async () => {
  expect(await serve()).toEqual([])
})

test.each<[what: string, breaks: Parameters<typeof serve>[0], failed: RegExp]>([
  ['a status of its own', { job: (job) => ({ ...job, status: 'running' }) }, /answered at once/],
  ['a field that is missing', { job: ({ model: _, ...job }) => job }, /answered at once/],
  ['a link while active', { job: (job) => ({ ...job, prLink: 'https://x.y/1' }) }, /answered at once/],
  ['null where there is none', { job: (job) => ({ ...job, model: null }) }, /answered at once/],
  ['another status than 201', { status: (status) => (status === 201 ? 200 : status) }, /answered at once/],
  ['no error body', { error: { message: 'No.' } }, /no prompt is answered with 400/],
  ['403 for a missing key', { status: (status) => (status === 401 ? 403 : status) }, /401/],
  ['a job for every id', { status: (status) => (status === 404 ? 200 : status) }, /does not exist/],
  [
    'an id that changes',
    { job: (job, path) => (path.startsWith('GET') ? { ...job, createdAt: '2026-02-01T00:00:00.000Z' } : job) },
    /the same identity/,
  ],
  ['no limit', { status: (status) => (status === 429 ? 201 : status) }, /429/],
  [
    'a follow-up that is a creation',
    { status: (status, path) => (path.endsWith('/message') && status === 200 ? 201 : status) },
    /follow-up/,
  ],
  ['an update that answers 200', { status: (status, path) => (path.includes('/update/') ? 200 : status) }, /update/],
])('%s is found', async (_what, breaks, failed) => {
  expect((await serve(breaks)).join('\n')).toMatch(failed)
})

test('each check has a name of its own', () => {
  expect(new Set(COMPAT_CHECKS.map(({ name }) => name)).size).toBe(COMPAT_CHECKS.length)
})
