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
  /** Media type of every answer. */
  readonly type?: string
  /** Takes this body of a creation or a follow-up, which must be refused. */
  readonly accepts?: (body: unknown) => boolean
  readonly refusesUnknown?: boolean
  readonly anyKey?: boolean
  readonly neverEnds?: boolean
  readonly noLimit?: boolean
  readonly update?: (body: Record<string, unknown>) => unknown
}

/** A server that keeps to the contract in the smallest way, but for what a test breaks. */
async function serve(breaks: Breaks = {}) {
  let count = 0
  const started = new Map<string, number>()
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method = '', url: path = '' } = request
    const answer = (status: number, body: unknown) => {
      response.writeHead(breaks.status?.(status, `${method} ${path}`) ?? status, {
        'content-type': breaks.type ?? 'application/json',
      })
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
    if (request.headers.authorization !== 'Bearer good' && !breaks.anyKey) return fail(401)
    let body: unknown
    try {
      body = text === '' ? {} : JSON.parse(text)
    } catch {
      if (!breaks.accepts?.(text)) return fail(400)
    }
    const id = /job\/([\w-]+)/.exec(path)?.[1]
    if (path.startsWith('/v1/project/update/')) return answer(202, { statusId: 'u1' })
    if (path === '/v1/project/update-status/u1') {
      const times = { createdAt: '2026-01-31T12:00:00.000Z', endedAt: null }
      const update = { _id: 'u1', projectId: 'p', ...times, status: 'queued', summary: '', logs: [] }
      return answer(200, breaks.update?.(update) ?? update)
    }
    if (path.startsWith('/v1/') || (id !== undefined && !started.has(id))) return fail(404)
    if (method === 'POST') {
      const { prompt } = Object(body) as { prompt?: unknown }
      const isFine = typeof prompt === 'string' && prompt !== ''
      if (!isFine && !breaks.accepts?.(body)) return fail(400)
      if (breaks.refusesUnknown && Object.keys(Object(body)).length > 1) return fail(400)
      if (id !== undefined) return answer(200, toJob(id, true))
      count += 1
      if (count > 100) return fail(429)
      started.set(`j${count}`, Date.now())
      return answer(201, toJob(`j${count}`, true))
    }
    const isActive = breaks.neverEnds || Date.now() - (started.get(id ?? '') ?? 0) < 100
    return answer(200, toJob(id ?? '', isActive))
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

test('a server that keeps to the contract passes, with its limit and without the other spelling, too', async () => {
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
  ['a status of its own', { job: (job) => ({ ...job, status: 'running' }) }, /answered at once/],
  ['a new job that has ended', { job: (job) => ({ ...job, status: 'completed' }) }, /answered at once/],
  ...['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt'].map((field): [string, Breaks, RegExp] => [
    `no ${field}`,
    { job: (job) => Object.fromEntries(Object.entries(job).filter(([name]) => name !== field)) },
    /answered at once/,
  ]),
  ['a source without a branch', { job: (job) => ({ ...job, source: { repository: 'https://x.y' } }) }, /at once/],
  ['a repository that is no URL', { job: (job) => ({ ...job, source: { repository: 'a/b', ref: null } }) }, /at once/],
  ['a time that is none', { job: (job) => ({ ...job, createdAt: 'yesterday' }) }, /answered at once/],
  ['a link while active', { job: (job) => ({ ...job, prLink: 'https://x.y/1' }) }, /answered at once/],
  ['null where there is none', { job: (job) => ({ ...job, model: null }) }, /answered at once/],
  ['another status than 201', { status: (status) => (status === 201 ? 200 : status) }, /answered at once/],
  ['answers that are no JSON', { type: 'text/html' }, /answered at once/],
  ['unknown fields refused', { refusesUnknown: true }, /are ignored/],
  ['a creation without a prompt', { accepts: (body) => JSON.stringify(body) === '{}' }, /no prompt is/],
  ['an empty prompt taken', { accepts: (body) => Object(body).prompt === '' }, /an empty prompt is/],
  ['a number as a prompt', { accepts: (body) => Object(body).prompt === 42 }, /no text is/],
  ['a list taken', { accepts: Array.isArray }, /a list is/],
  ['broken JSON taken', { accepts: (body) => body === undefined || body === '{"prompt": ' }, /not JSON is/],
  ['422 for 400', { status: (status) => (status === 400 ? 422 : status) }, /no prompt is answered with 400/],
  ['no error body', { error: { message: 'No.' } }, /no prompt is answered with 400/],
  ['an error that is no text', { error: { error: { code: 1 } } }, /no prompt is answered with 400/],
  ['403 for a missing key', { status: (status) => (status === 401 ? 403 : status) }, /401/],
  ['any key', { anyKey: true }, /401/],
  ['a job for every id', { status: (status) => (status === 404 ? 200 : status) }, /does not exist/],
  ['an id that changes', { job: onGet({ id: 'other' }) }, /the same identity/],
  ['a time that changes', { job: onGet({ createdAt: '2026-02-01T00:00:00.000Z' }) }, /the same identity/],
  ['a model that changes', { job: onGet({ model: 'other' }) }, /the same identity/],
  ['a repository that changes', { job: onGet({ source: { repository: 'https://x.y', ref: null } }) }, /same identity/],
  ['a time of archiving', { job: onGet({ archivedAt: '2026-02-01T00:00:00.000Z' }) }, /the same identity/],
  ['archived without a time', { job: onGet({ status: 'archived' }) }, /the same identity/],
  ['a link of an active job', { job: onGet({ status: 'active', prLink: 'https://x.y/1' }) }, /the same identity/],
  ['a job that never ends', { neverEnds: true }, /the same identity/],
  [
    'another job below the other spelling',
    { job: (job, path) => (path.includes('/api/agent/v2/') ? { ...job, id: 'other' } : job) },
    /below \/api/,
  ],
  [
    'a follow-up that is a creation',
    { status: (status, path) => (path.endsWith('/message') && status === 200 ? 201 : status) },
    /follow-up/,
  ],
  [
    'a follow-up that answers another job',
    { job: (job, path) => (path.endsWith('/message') ? { ...job, id: 'other' } : job) },
    /follow-up/,
  ],
  [
    'a follow-up that shows its link',
    { job: (job, path) => (path.endsWith('/message') ? { ...job, prLink: 'https://x.y/1' } : job) },
    /follow-up/,
  ],
  ['an update that answers 200', { status: (status, path) => (path.includes('/update/') ? 200 : status) }, /update/],
  ['another update', { update: (update) => ({ ...update, _id: 'u2' }) }, /update/],
  ['an update with a status of its own', { update: (update) => ({ ...update, status: 'done' }) }, /update/],
  ['no limit', { noLimit: true, status: (status) => (status === 429 ? 201 : status) }, /429/],
]

test.each(MUTANTS)('%s is found', async (_what, breaks, failed) => {
  expect((await failures(breaks)).join('\n')).toMatch(failed)
})

test('each check has a name of its own, and something that it finds', () => {
  const names = COMPAT_CHECKS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !MUTANTS.some(([, , failed]) => failed.test(name)))).toEqual([])
})

test('the command says what was found, and its exit code whether all is well', async () => {
  const run = async (breaks: Breaks) => {
    const url = await serve(breaks)
    return runCli(import.meta.dirname, ['compat', '--url', url, '--key', 'good', '--project', 'p', '--prompt', 'x'])
  }
  const [well, broken] = await Promise.all([run({}), run({ error: { message: 'No.' } })])
  expect([well.code, well.err]).toEqual([0, ''])
  expect(well.out.split('\n').filter((line) => line.startsWith('ok  '))).toHaveLength(COMPAT_CHECKS.length - 1)
  expect([broken.code, broken.out]).toEqual([1, expect.stringContaining('FAIL no prompt is answered with 400')])
  const unsaid = await runCli(import.meta.dirname, ['compat'])
  expect([unsaid.code, unsaid.err]).toEqual([1, expect.stringContaining('--url or CORRIGENDA_URL is missing')])
})
