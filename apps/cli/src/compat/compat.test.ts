import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { COMPAT_CHECKS } from './checks.ts'
import { runCompat } from './run-compat.ts'

type Break = (job: Record<string, unknown>, path: string) => unknown

interface Breaks {
  readonly job?: Break
  readonly status?: (status: number, path: string) => number
  readonly error?: object
  /** Media type of every response. */
  readonly type?: string
  /** Returns true for an invalid body that the server accepts. */
  readonly accepts?: (body: unknown) => boolean
  readonly rejectsUnknown?: boolean
  readonly anyKey?: boolean
  readonly neverEnds?: boolean
  readonly noLimit?: boolean
  readonly update?: (body: Record<string, unknown>) => unknown
}

/** Starts a minimal server that follows the contract except for the given deviations. */
async function serve(breaks: Breaks = {}) {
  let count = 0
  const started = new Map<string, number>()
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method = '', url: path = '' } = request
    const respond = (status: number, body: unknown) => {
      response.writeHead(breaks.status?.(status, `${method} ${path}`) ?? status, {
        'content-type': breaks.type ?? 'application/json',
      })
      response.end(JSON.stringify(body))
    }
    const fail = (status: number) => respond(status, breaks.error ?? { error: 'No.' })
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
    if (request.headers.authorization !== 'Bearer good' && !breaks.anyKey) return fail(401)
    let body: unknown
    try {
      body = text === '' ? {} : JSON.parse(text)
    } catch {
      if (!breaks.accepts?.(text)) return fail(400)
    }
    const id = /job\/([\w-]+)/.exec(path)?.[1]
    if (path.startsWith('/v1/project/update/')) return respond(202, { statusId: 'u1' })
    if (path === '/v1/project/update-status/u1') {
      const times = { createdAt: '2026-01-31T12:00:00.000Z', endedAt: null }
      const update = { _id: 'u1', projectId: 'p', ...times, status: 'queued', summary: '', logs: [] }
      return respond(200, breaks.update?.(update) ?? update)
    }
    if (path.startsWith('/v1/') || (id !== undefined && !started.has(id))) return fail(404)
    if (method === 'POST') {
      const { prompt } = Object(body) as { prompt?: unknown }
      const isFine = typeof prompt === 'string' && prompt !== ''
      if (!isFine && !breaks.accepts?.(body)) return fail(400)
      if (breaks.rejectsUnknown && Object.keys(Object(body)).length > 1) return fail(400)
      if (id !== undefined) return respond(200, toJob(id, true))
      count += 1
      if (count > 100) return fail(429)
      started.set(`j${count}`, Date.now())
      return respond(201, toJob(`j${count}`, true))
    }
    const isActive = breaks.neverEnds || Date.now() - (started.get(id ?? '') ?? 0) < 100
    return respond(200, toJob(id ?? '', isActive))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function check(breaks: Breaks = {}) {
  const url = await serve(breaks)
  const jobMs = breaks.neverEnds ? 50 : 60_000
  const exhaustQuota = breaks.noLimit ?? false
  return runCompat({ url, apiKey: 'good', projectId: 'p', prompt: 'x', jobMs, pollMs: 20, exhaustQuota })
}

const failures = async (breaks: Breaks) =>
  (await check(breaks)).filter(({ state }) => state === 'failed').map(({ name }) => name)

test('a conforming server passes all checks, and the checks for the second path prefix and the hourly limit can be skipped', async () => {
  expect((await check({ noLimit: true })).map(({ state }) => state)).toEqual(COMPAT_CHECKS.map(() => 'passed'))
  const other = await check({ status: (status, path) => (path.includes('/api/agent/v2/') ? 404 : status) })
  expect(other.filter(({ state }) => state !== 'passed').map(({ name, state }) => [name, state])).toEqual([
    [expect.stringContaining('/api/agent/v2/'), 'skipped'],
    [expect.stringContaining('429'), 'skipped'],
  ])
})

const GET = /^GET/
const onGet =
  (change: object): Break =>
  (job, path) =>
    GET.test(path) ? { ...job, ...change } : job

const MUTANTS: readonly [what: string, breaks: Breaks, failed: RegExp][] = [
  ['an unknown status', { job: (job) => ({ ...job, status: 'running' }) }, /an active job without/],
  ['a new job that is completed', { job: (job) => ({ ...job, status: 'completed' }) }, /an active job without/],
  ...['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt'].map((field): [string, Breaks, RegExp] => [
    `a job without ${field}`,
    { job: (job) => Object.fromEntries(Object.entries(job).filter(([name]) => name !== field)) },
    /an active job without/,
  ]),
  [
    'a source without a branch',
    { job: (job) => ({ ...job, source: { repository: 'https://x.y' } }) },
    /active job without/,
  ],
  ['an invalid URL', { job: (job) => ({ ...job, source: { repository: 'a/b', ref: null } }) }, /active job without/],
  ['an invalid time', { job: (job) => ({ ...job, createdAt: 'yesterday' }) }, /an active job without/],
  ['an active job with a link', { job: (job) => ({ ...job, prLink: 'https://x.y/1' }) }, /an active job without/],
  ['null in a required field', { job: (job) => ({ ...job, model: null }) }, /an active job without/],
  ['200 for a new job', { status: (status) => (status === 201 ? 200 : status) }, /an active job without/],
  ['responses that are not JSON', { type: 'text/html' }, /an active job without/],
  ['rejected unknown fields', { rejectsUnknown: true }, /are ignored/],
  ['an accepted job without a prompt', { accepts: (body) => JSON.stringify(body) === '{}' }, /no prompt returns/],
  ['an accepted empty prompt', { accepts: (body) => Object(body).prompt === '' }, /an empty prompt returns 400 and/],
  ['a number as a prompt', { accepts: (body) => Object(body).prompt === 42 }, /not a string returns/],
  ['an accepted array', { accepts: Array.isArray }, /an array returns/],
  [
    'accepted invalid JSON',
    { accepts: (body) => body === undefined || body === '{"prompt": ' },
    /invalid JSON returns/,
  ],
  ['422 instead of 400', { status: (status) => (status === 400 ? 422 : status) }, /no prompt returns 400/],
  ['an error response without "error"', { error: { message: 'No.' } }, /no prompt returns 400/],
  ['an error that is not a string', { error: { error: { code: 1 } } }, /no prompt returns 400/],
  ['403 for a missing key', { status: (status) => (status === 401 ? 403 : status) }, /401/],
  ['an accepted invalid key', { anyKey: true }, /401/],
  ['a job for every id', { status: (status) => (status === 404 ? 200 : status) }, /an unknown job returns/],
  ['an id that changes', { job: onGet({ id: 'other' }) }, /keeps its identity/],
  ['a time that changes', { job: onGet({ createdAt: '2026-02-01T00:00:00.000Z' }) }, /keeps its identity/],
  ['a model that changes', { job: onGet({ model: 'other' }) }, /keeps its identity/],
  ['a repository that changes', { job: onGet({ source: { repository: 'https://x.y', ref: null } }) }, /its identity/],
  ['a completed job with archivedAt', { job: onGet({ archivedAt: '2026-02-01T00:00:00.000Z' }) }, /keeps its identity/],
  ['an archived job without archivedAt', { job: onGet({ status: 'archived' }) }, /keeps its identity/],
  ['a polled active job with a link', { job: onGet({ status: 'active', prLink: 'https://x.y/1' }) }, /its identity/],
  ['a job that never ends', { neverEnds: true }, /keeps its identity/],
  [
    'a different job under the second path prefix',
    { job: (job, path) => (path.includes('/api/agent/v2/') ? { ...job, id: 'other' } : job) },
    /under \/api/,
  ],
  [
    'a follow-up that returns 201',
    { status: (status, path) => (path.endsWith('/message') && status === 200 ? 201 : status) },
    /follow-up/,
  ],
  [
    'a follow-up that returns a different job',
    { job: (job, path) => (path.endsWith('/message') ? { ...job, id: 'other' } : job) },
    /follow-up/,
  ],
  [
    'a follow-up that returns an active job with a link',
    { job: (job, path) => (path.endsWith('/message') ? { ...job, prLink: 'https://x.y/1' } : job) },
    /follow-up/,
  ],
  ['an update that returns 200', { status: (status, path) => (path.includes('/update/') ? 200 : status) }, /update/],
  ['the status of a different update', { update: (update) => ({ ...update, _id: 'u2' }) }, /update/],
  ['an update with an unknown status', { update: (update) => ({ ...update, status: 'done' }) }, /update/],
  ['a server without a limit', { noLimit: true, status: (status) => (status === 429 ? 201 : status) }, /429/],
]

test.each(MUTANTS)('detects %s', async (_what, breaks, failed) => {
  expect((await failures(breaks)).join('\n')).toMatch(failed)
})

test('each check has a unique name and detects a deviation', () => {
  const names = COMPAT_CHECKS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !MUTANTS.some(([, , failed]) => failed.test(name)))).toEqual([])
})

test('the command prints the results and exits with 1 if a check fails', async () => {
  const run = async (breaks: Breaks) => {
    const url = await serve(breaks)
    return runCli(import.meta.dirname, ['compat', '--url', url, '--key', 'good', '--project', 'p', '--prompt', 'x'])
  }
  const [conforming, broken] = await Promise.all([run({}), run({ error: { message: 'No.' } })])
  expect([conforming.code, conforming.err]).toEqual([0, ''])
  expect(conforming.out.split('\n').filter((line) => line.startsWith('ok  '))).toHaveLength(COMPAT_CHECKS.length - 1)
  expect([broken.code, broken.out]).toEqual([1, expect.stringContaining('FAIL no prompt returns 400')])
  const withoutUrl = await runCli(import.meta.dirname, ['compat'])
  expect([withoutUrl.code, withoutUrl.err]).toEqual([1, expect.stringContaining('--url or CORRIGENDA_URL is missing')])
})
