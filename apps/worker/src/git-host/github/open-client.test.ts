import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCredentials } from './build-credentials.ts'
import { type GitHubClient, openClient } from './open-client.ts'

const TOKEN = ['ghp', 'a1B2'.repeat(9)].join('_')
const REPOSITORY = { id: 1, name: 'docs', full_name: 'acme/docs' }

const ANY = { named: 'an object', schema: z.looseObject({}) }

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

const opened: Array<() => void> = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/**
 * Starts a loopback server that returns these responses in order, then repeats the last one.
 * Records its requests.
 */
async function startServer(...answers: Answer[]) {
  const requests: Array<{ method: string; url: string; headers: IncomingMessage['headers'] }> = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    request.resume()
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    answer?.(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function openTestClient(
  origin: string,
  settings: Partial<GitHubSettings> = {},
  signal = new AbortController().signal,
) {
  const deps = { apiUrl: null, version: '1.2.3', retryBaseMs: 5, ...settings }
  const credentials = buildCredentials({ kind: 'token', token: TOKEN }, deps)
  const repository = toRepositoryAddress(`${origin}/acme/docs`)
  const github = await openClient({ ...deps, credentials }, { repository, access: 'publish', signal })
  opened.push(() => github.close())
  return github
}

function readRepository(github: GitHubClient, options?: { signal?: AbortSignal; retries?: number }) {
  const { name } = github
  return github.call({
    what: 'find the repository',
    answer: ANY,
    run: (octokit, request) => octokit.rest.repos.get({ ...name, request }),
    ...options,
  })
}

async function failOf(work: Promise<unknown>): Promise<GitHostError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof GitHostError)) throw new Error(`expected a GitHostError, got ${String(error)}`)
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(TOKEN)
  return error
}

describe('a request', () => {
  test('contains the product name and the credential', async () => {
    const server = await startServer(json(200, REPOSITORY))
    const github = await openTestClient(server.origin)
    await expect(readRepository(github)).resolves.toMatchObject(REPOSITORY)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/api/v3/repos/acme/docs' })
    expect(server.requests[0]?.headers['user-agent']).toMatch(/^corrigenda\/1\.2\.3 /)
    expect(server.requests[0]?.headers.authorization).toContain(TOKEN)
  })

  test('is sent to the configured API URL', async () => {
    const server = await startServer(json(200, REPOSITORY))
    const github = await openTestClient('https://git.acme.test', { apiUrl: `${server.origin}/rest/` })
    await readRepository(github)
    expect(server.requests[0]?.url).toBe('/rest/repos/acme/docs')
  })

  test('follows a redirect on the same origin', async () => {
    const moved: Answer = (response) => response.writeHead(301, { location: '/api/v3/repositories/1' }).end()
    const server = await startServer(moved, json(200, { ...REPOSITORY, full_name: 'acme/manual' }))
    const github = await openTestClient(server.origin)
    await expect(readRepository(github)).resolves.toMatchObject({ full_name: 'acme/manual' })
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/v3/repos/acme/docs', '/api/v3/repositories/1'])
  })

  test('does not follow a redirect to a different origin', async () => {
    const thief = await startServer(json(200, REPOSITORY))
    const server = await startServer((response) => response.writeHead(302, { location: `${thief.origin}/x` }).end())
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error).toMatchObject({ code: 'redirected', message: expect.stringContaining('GITHUB_API_URL') })
    expect(thief.requests).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  test('fails in a redirect loop', async () => {
    const server = await startServer((response, request) => response.writeHead(301, { location: request.url }).end())
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error).toMatchObject({ code: 'redirected', message: expect.stringContaining('redirects too often') })
    expect(server.requests).toHaveLength(4)
  })

  test('fails after a redirect without a usable address', async () => {
    for (const headers of [{}, { location: 'http://' }]) {
      const server = await startServer((response) => response.writeHead(301, headers).end())
      expect(await failOf(readRepository(await openTestClient(server.origin)))).toMatchObject({ code: 'redirected' })
      expect(server.requests).toHaveLength(1)
    }
  })

  const update = async (origin: string) => {
    const github = await openTestClient(origin)
    return github.call({
      what: 'describe the pull request',
      answer: ANY,
      run: (octokit, request) => octokit.rest.pulls.update({ ...github.name, pull_number: 7, body: 'Why.', request }),
    })
  }

  test.each([301, 302, 303])('that writes is not repeated as a read after %i', async (status) => {
    const server = await startServer((response) => response.writeHead(status, { location: '/repositories/1' }).end())
    const error = await failOf(update(server.origin))
    expect(error).toMatchObject({ code: 'redirected', isOutcomeUnknown: false })
    expect(error.message).toContain('moved on the host')
    expect(error.message).toContain('Update the repository URL in the project')
    expect(server.requests).toHaveLength(1)
  })

  test.each([307, 308])('that writes follows the status %i', async (status) => {
    const moved: Answer = (response) => response.writeHead(status, { location: '/api/v3/repositories/1/pulls/7' }).end()
    const server = await startServer(moved, json(200, { number: 7 }))
    await expect(update(server.origin)).resolves.toEqual({ number: 7 })
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH /api/v3/repos/acme/docs/pulls/7',
      'PATCH /api/v3/repositories/1/pulls/7',
    ])
  })

  test('is retried after a 5xx and a broken connection', async () => {
    const reset: Answer = (response) => response.destroy()
    const server = await startServer(json(502, {}), reset, json(503, {}), json(200, REPOSITORY))
    await expect(readRepository(await openTestClient(server.origin))).resolves.toMatchObject(REPOSITORY)
    expect(server.requests).toHaveLength(4)
  })

  test('is sent once when retries are off', async () => {
    const server = await startServer(json(502, {}))
    const error = await failOf(readRepository(await openTestClient(server.origin), { retries: 0 }))
    expect(error).toMatchObject({ code: 'server_error', status: 502, isOutcomeUnknown: true })
    expect(server.requests).toHaveLength(1)
  })

  test('fails when the response is truncated', async () => {
    const broken: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"id":', () => setTimeout(() => response.destroy(), 50))
    }
    const server = await startServer(broken)
    const error = await failOf(readRepository(await openTestClient(server.origin), { retries: 0 }))
    expect(error).toMatchObject({ code: 'network', status: null, isOutcomeUnknown: true })
  })

  test('has a deadline that covers the body', async () => {
    const stuck: Answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    const server = await startServer(stuck)
    const error = await failOf(readRepository(await openTestClient(server.origin, { timeoutMs: 50 }), { retries: 0 }))
    expect(error).toMatchObject({ code: 'timeout', isOutcomeUnknown: true })
  })

  test('to an unreachable host fails with the system error code', async () => {
    const server = await startServer(json(200, {}))
    opened.pop()?.()
    const error = await failOf(readRepository(await openTestClient(server.origin), { retries: 0 }))
    expect(error).toMatchObject({ code: 'network', message: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('a rate limit', () => {
  const limited = (
    status: number,
    headers: Record<string, string>,
    message = 'You have exceeded a secondary rate limit.',
  ) => json(status, { message }, headers)

  test.each([
    ['a secondary limit', limited(403, { 'retry-after': '1' })],
    ['429', limited(429, { 'retry-after': '0' }, 'slow down')],
    ['a 403 with retry-after', limited(403, { 'retry-after': '0' }, 'busy')],
  ])('delays the request: %s', async (_, answer) => {
    const server = await startServer(answer, json(200, REPOSITORY))
    await expect(readRepository(await openTestClient(server.origin))).resolves.toMatchObject(REPOSITORY)
    expect(server.requests).toHaveLength(2)
  })

  test('with a wait of more than 30 seconds is reported to the caller', async () => {
    const server = await startServer(limited(403, { 'retry-after': '31' }))
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error).toMatchObject({ code: 'rate_limited', status: 403, retryAfterMs: 31_000 })
    expect(server.requests).toHaveLength(1)
  })

  test('that is exhausted is reported with its reset time', async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 1800)
    const server = await startServer(
      limited(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, 'API rate limit exceeded'),
    )
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error.code).toBe('rate_limited')
    expect(error.retryAfterMs).toBeGreaterThan(1_700_000)
    expect(error.retryAfterMs).toBeLessThanOrEqual(1_801_000)
  })

  test('that never ends fails the request', async () => {
    const server = await startServer(limited(429, { 'retry-after': '0' }))
    expect(await failOf(readRepository(await openTestClient(server.origin)))).toMatchObject({ code: 'rate_limited' })
    expect(server.requests).toHaveLength(6)
  })

  test('stops delaying the request when the signal aborts', async () => {
    const stop = new AbortController()
    const server = await startServer((response, request) => {
      limited(429, { 'retry-after': '29' })(response, request)
      setTimeout(() => stop.abort(), 50)
    })
    const github = await openTestClient(server.origin, {}, stop.signal)
    expect(await failOf(readRepository(github))).toMatchObject({ code: 'aborted' })
  })
})

describe('a client for github.com', () => {
  test('uses the API URL, paces writes and reports rate limits', async () => {
    const limited = json(429, { message: 'secondary rate limit' }, { 'retry-after': '120' })
    const server = await startServer(json(200, REPOSITORY), json(201, { number: 1 }), limited)
    const asked: string[] = []
    const github = await openTestClient('https://github.com', {
      fetch: (input, init) => {
        asked.push(String(input))
        return fetch(String(input).replace('https://api.github.com', server.origin), init)
      },
    })
    const pull = { owner: 'acme', repo: 'docs', title: 'x', head: 'x', base: 'main' }
    const open = () =>
      github.call({
        what: 'open it',
        answer: ANY,
        run: (octokit, request) => octokit.rest.pulls.create({ ...pull, request }),
      })
    await expect(readRepository(github)).resolves.toMatchObject(REPOSITORY)
    await expect(open()).resolves.toMatchObject({ number: 1 })
    expect(await failOf(readRepository(github))).toMatchObject({ code: 'rate_limited', retryAfterMs: 120_000 })
    expect(asked).toEqual([
      'https://api.github.com/repos/acme/docs',
      'https://api.github.com/repos/acme/docs/pulls',
      'https://api.github.com/repos/acme/docs',
    ])
  })
})

describe('stopping', () => {
  test('aborts a running request when the client or call signal aborts or the client is closed', async () => {
    for (const by of ['client', 'call', 'close'] as const) {
      const stop = { client: new AbortController(), call: new AbortController() }
      const server = await startServer(() => (by === 'close' ? github.close() : stop[by].abort()))
      const github = await openTestClient(server.origin, {}, stop.client.signal)
      expect(await failOf(readRepository(github, { signal: stop.call.signal }))).toMatchObject({ code: 'aborted' })
      expect(server.requests).toHaveLength(1)
    }
  })

  test('aborts the delay before a retry', async () => {
    const stop = new AbortController()
    const server = await startServer((response) => {
      response.writeHead(502).end()
      setTimeout(() => stop.abort(), 50)
    })
    const github = await openTestClient(server.origin, { retryBaseMs: 60_000 }, stop.signal)
    expect(await failOf(readRepository(github))).toMatchObject({ code: 'aborted' })
  })

  test('prevents a request that has not started', async () => {
    const server = await startServer(json(200, REPOSITORY))
    const github = await openTestClient(server.origin)
    expect(await failOf(readRepository(github, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted' })
    expect(server.requests).toEqual([])
  })
})

describe('an error', () => {
  test.each([
    [401, { message: 'Bad credentials' }, 'unauthorized', 'Check that it is valid'],
    [403, { message: 'Resource not accessible by integration' }, 'forbidden', 'Resource not accessible'],
    [403, { message: 'Repository was archived so is read-only.' }, 'archived', 'Unarchive it'],
    [404, { message: 'Not Found' }, 'not_found', 'has no access'],
    [410, { message: 'Gone' }, 'not_found', 'does not exist'],
    [451, { message: 'Blocked' }, 'forbidden', 'Blocked'],
    [409, { message: 'Conflict' }, 'validation', 'Conflict'],
    [
      422,
      { message: 'Validation Failed', errors: [{ field: 'base', code: 'invalid' }] },
      'validation',
      'Validation Failed',
    ],
  ])('for the response %i %j has the code %s', async (status, body, code, advice) => {
    const server = await startServer(json(status, body))
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error).toMatchObject({ code, status, isOutcomeUnknown: false, message: expect.stringContaining(advice) })
    expect(error.message).toContain('find the repository (127.0.0.1')
    expect(server.requests).toHaveLength(1)
  })

  test("contains the host's reasons without secrets", async () => {
    const errors = ['plain', { field: 'head', code: 'invalid' }, { message: 'A pull request already exists' }, 7]
    const server = await startServer(json(422, { message: `Bad token ${TOKEN}\n${'x'.repeat(500)}`, errors }))
    const error = await failOf(readRepository(await openTestClient(server.origin)))
    expect(error.problem).toBe('already_exists')
    expect(error.message).toContain('[redacted]')
    expect(error.message.length).toBeLessThan(450)
  })
})
