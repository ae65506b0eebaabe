import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { type CompatInput, Skipped } from './ask-server.ts'
import { COMPAT_CHECKS, runCompat } from './run-compat.ts'

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
  readonly rejectsAliases?: boolean
  readonly anyKey?: boolean
  readonly neverEnds?: boolean
  readonly noLimit?: boolean
  /** Rejects prompts that are longer than this. */
  readonly maxPrompt?: number
  readonly preview?: (body: Record<string, unknown>) => unknown
  readonly stream?: (text: string) => string
  /** Headers of the stream. */
  readonly headers?: (headers: Record<string, string>) => Record<string, string>
  readonly session?: (session: Record<string, unknown>, path: string) => unknown
  readonly update?: (body: Record<string, unknown>) => unknown
}

/** Starts a minimal server that follows the contract except for the given deviations. */
async function serve(breaks: Breaks = {}) {
  let count = 0
  /** The times that each job was read. It ends after the first. */
  const reads = new Map<string, number>()
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
        id,
        status: active ? 'active' : 'completed',
        model: 'm',
        createdAt: '2026-01-31T12:00:00.000Z',
        archivedAt: null,
        source: { repository: 'https://github.com/acme/docs', ref: null },
        prLink: active ? null : 'https://github.com/acme/docs/pull/1',
      }
      return breaks.job?.(job, `${method} ${path}`) ?? job
    }
    const toSession = (haulted: boolean) => {
      const session = {
        sessionId: 's1',
        subdomain: '',
        branch: null,
        haulted,
        haultReason: haulted ? 'completed' : 'processing',
        pullRequestLink: '',
        messageToUser: '',
        todos: [],
        title: '',
        createdAt: '2026-01-31T12:00:00.000Z',
      }
      return breaks.session?.(session, path) ?? session
    }
    const answerV1 = (isList: boolean, id: string | undefined, body: unknown) => {
      if (isList) return respond(200, { allSessions: [toSession(true)] })
      if (id !== undefined) return id === 's1' ? respond(200, toSession(true)) : fail(404)
      const { messages } = Object(body) as { messages?: unknown[] }
      if (!messages?.length && !breaks.accepts?.(body)) return fail(400)
      const headers = { 'content-type': 'text/event-stream', 'x-session-id': 's1', 'x-branch-name': 'b' }
      const text = ['{"type":"start"}', '{"type":"finish"}', '[DONE]'].map((data) => `data: ${data}\n\n`).join(': \n\n')
      response.writeHead(breaks.status?.(200, `${method} ${path}`) ?? 200, breaks.headers?.(headers) ?? headers)
      response.end(breaks.stream?.(text) ?? text)
    }
    if (request.headers.authorization !== 'Bearer good' && !breaks.anyKey) return fail(401)
    let body: unknown
    try {
      body = text === '' ? {} : JSON.parse(text)
    } catch {
      if (!breaks.accepts?.(text)) return fail(400)
    }
    const v1 = /^\/v1\/agent\/p\/(job|jobs)(?:\/([\w-]+)|\?.*)?$/.exec(path)
    if (v1) return answerV1(v1[1] === 'jobs', v1[2], body)
    const id = /job\/([\w-]+)/.exec(path)?.[1]
    if (path === '/v1/project/preview/p') {
      if (!Object(body).branch && !breaks.accepts?.(body)) return fail(400)
      const accepted = { statusId: 'u1', previewUrl: 'https://main.preview.example.com' }
      return respond(202, breaks.preview?.(accepted) ?? accepted)
    }
    if (path.startsWith('/v1/project/update/')) return respond(202, { statusId: 'u1' })
    if (path === '/v1/project/update-status/u1') {
      const times = { createdAt: '2026-01-31T12:00:00.000Z', endedAt: null }
      const screens = { screenshot: '', screenshotLight: '', screenshotDark: '' }
      const update = {
        _id: 'u1',
        projectId: 'p',
        ...times,
        status: 'queued',
        summary: '',
        logs: [],
        ...screens,
        subdomain: '',
        author: null,
        commit: null,
        source: 'api',
      }
      return respond(200, breaks.update?.(update) ?? update)
    }
    if (path.startsWith('/v1/') || (id !== undefined && !reads.has(id))) return fail(404)
    if (method === 'POST') {
      const { prompt } = Object(body) as { prompt?: unknown }
      const isFine = typeof prompt === 'string' && prompt !== ''
      if (!isFine && !breaks.accepts?.(body)) return fail(400)
      if (String(prompt).length > (breaks.maxPrompt ?? 1_000_000)) return fail(400)
      if (breaks.rejectsAliases && 'asDraft' in Object(body)) return fail(400)
      if (breaks.rejectsUnknown && Object.keys(Object(body)).length > 1) return fail(400)
      if (id !== undefined) return respond(200, toJob(id, true))
      count += 1
      if (count > 100) return fail(429)
      reads.set(`j${count}`, 0)
      return respond(201, toJob(`j${count}`, true))
    }
    const earlier = reads.get(id ?? '') ?? 0
    reads.set(id ?? '', earlier + 1)
    return respond(200, toJob(id ?? '', breaks.neverEnds || earlier === 0))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function toInput(breaks: Breaks): Promise<CompatInput> {
  const url = await serve(breaks)
  const jobMs = breaks.neverEnds ? 50 : 60_000
  const exhaustQuota = breaks.noLimit ?? false
  return { url, apiKey: 'good', projectId: 'p', prompt: 'x', jobMs, pollMs: 1, exhaustQuota }
}

const check = async (breaks: Breaks) => runCompat(await toInput(breaks))

test('a conforming server passes all checks, and checks for parts that a server does not have are skipped', async () => {
  expect((await check({ noLimit: true })).map(({ state }) => state)).toEqual(COMPAT_CHECKS.map(() => 'passed'))
  const isMissing = /\/api\/agent\/v2\/|\/v1\/agent\//
  const other = await check({
    status: (status, path) => (isMissing.test(path) ? 404 : path.includes('/preview/') ? 403 : status),
  })
  expect(other.filter(({ state }) => state !== 'passed').map(({ name, state }) => [name, state])).toEqual([
    [expect.stringContaining('/api/agent/v2/'), 'skipped'],
    [expect.stringContaining('a stream of JSON chunks'), 'skipped'],
    [expect.stringContaining('of version 1 without messages'), 'skipped'],
    [expect.stringContaining('a preview returns 202'), 'skipped'],
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
  ['an update without a source', { update: ({ source: _, ...update }) => update }, /an update returns/],
  ['an update with an unknown source', { update: (update) => ({ ...update, source: 'merge' }) }, /an update returns/],
  ['an update without a subdomain', { update: ({ subdomain: _, ...update }) => update }, /an update returns/],
  ['an update without a screenshot', { update: ({ screenshotDark: _, ...update }) => update }, /an update returns/],
  ['an update without an author', { update: ({ author: _, ...update }) => update }, /an update returns/],
  ['a preview without a URL', { preview: () => ({ statusId: 'u1' }) }, /a preview returns/],
  ['a preview whose status is unknown', { preview: (body) => ({ ...body, statusId: 'u2' }) }, /a preview returns/],
  ['an accepted preview without a branch', { accepts: (body) => JSON.stringify(body) === '{}' }, /a preview returns/],
  ['rejected fields of version 1', { rejectsAliases: true }, /asDraft and model/],
  ['a short limit for prompts', { maxPrompt: 100_000 }, /a prompt with 300000/],
  ...[
    ['a stream without an end', (text: string) => text.replace('data: [DONE]', ''), /a stream of/],
    ['a stream without a finish', (text: string) => text.replace('finish', 'text-end'), /a stream of/],
    ['a stream without a start', (text: string) => text.replace('start', 'text-start'), /a stream of/],
    ['a chunk that is not JSON', (text: string) => text.replace('{"type":"start"}', 'start'), /a stream of/],
  ].map(([what, stream, failed]) => [what, { stream }, failed] as [string, Breaks, RegExp]),
  ...['x-session-id', 'x-branch-name', 'content-type'].map((name): [string, Breaks, RegExp] => [
    `a stream without ${name}`,
    { headers: ({ [name]: _, ...headers }: Record<string, string>) => headers },
    /a stream of/,
  ]),
  ['201 for a stream', { status: (status, path) => (path.endsWith('/v1/agent/p/job') ? 201 : status) }, /a stream of/],
  ...['sessionId', 'subdomain', 'haulted', 'haultReason', 'todos', 'messageToUser', 'createdAt'].map(
    (field): [string, Breaks, RegExp] => [
      `a session without ${field}`,
      { session: (session) => Object.fromEntries(Object.entries(session).filter(([name]) => name !== field)) },
      /a stream of/,
    ],
  ),
  ['a different session', { session: (session) => ({ ...session, sessionId: 's2' }) }, /a stream of/],
  ['a session that has not ended', { session: (session) => ({ ...session, haulted: false }) }, /a stream of/],
  [
    'a list without the session',
    { session: (session, path) => (path.includes('jobs') ? { ...session, sessionId: 's0' } : session) },
    /a stream of/,
  ],
  ['an accepted request without messages', { accepts: (body) => JSON.stringify(body) === '{}' }, /without messages/],
  ['a server without a limit', { noLimit: true, status: (status) => (status === 429 ? 201 : status) }, /429/],
]

test.each(MUTANTS)('detects %s', async (_what, breaks, failed) => {
  const input = await toInput(breaks)
  const errors: unknown[] = []
  for (const { name, run } of COMPAT_CHECKS) {
    if (failed.test(name)) await run(input).catch((error: unknown) => errors.push(error))
  }
  expect(errors).not.toEqual([])
  expect(errors.some((error) => error instanceof Skipped)).toBe(false)
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
