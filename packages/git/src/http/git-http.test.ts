import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRepository, makeTempDir, runGit } from '../test-support/fixture.ts'
import { type GitServer, startGitServer } from '../test-support/git-server.ts'
import type { GitHttpOptions } from './git-http.ts'
import { GitHttpError } from './git-http-error.ts'
import { findBranchTip, isTip } from './list-refs.ts'
import { buildGitAgents } from './send-request.ts'

const dir = makeTempDir()
const token = 'ghs_secret-token'
let server: GitServer
let tip = ''

beforeAll(async () => {
  const origin = createRepository(dir.path, 'docs.git', [{ path: 'README.md', content: 'hello\n' }])
  tip = runGit(origin, ['rev-parse', 'main'])
  server = await startGitServer(dir.path, { token })
})
afterEach(() => {
  server.fault = null
  server.requests.length = 0
})
afterAll(async () => {
  await server.close()
  dir[Symbol.dispose]()
})

function findTip(options: Partial<GitHttpOptions> = {}, branch: string | null = 'main') {
  return findBranchTip({ url: server.url('docs.git'), token, retryPauseMs: 1, ...options }, branch)
}

async function fail(promise: Promise<unknown>): Promise<GitHttpError> {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(GitHttpError)
  expect(`${error.message} ${error.stack}`).not.toContain(token)
  return error
}

describe('a branch tip', () => {
  it('is found by name or as the default branch, and is null for an unknown branch', async () => {
    expect(await findTip()).toEqual({ branch: 'main', commit: tip })
    expect(await findTip({}, null)).toEqual({ branch: 'main', commit: tip })
    expect(await findTip({}, 'nope')).toBeNull()
  })

  it('does not match a branch whose name only starts with the given name', async () => {
    runGit(`${dir.path}/docs.git`, ['branch', 'mainland', 'main'])
    expect(await findTip({}, 'mainlan')).toBeNull()
    runGit(`${dir.path}/docs.git`, ['branch', '-D', 'mainland'])
  })

  it("is found with one request when the host's capabilities are cached", async () => {
    const remotes = new Map()
    await findTip({ remotes })
    expect(server.requests.map((request) => request.method)).toEqual(['GET', 'POST'])
    server.requests.length = 0
    await findTip({ remotes })
    expect(server.requests.map((request) => `${request.method} ${request.protocol}`)).toEqual(['POST version=2'])
  })

  it('is found on a host that supports only protocol v1', async () => {
    server.fault = {
      before: (request) => {
        delete request.headers['git-protocol']
        return false
      },
    }
    const remotes = new Map()
    expect(await findTip({ remotes })).toEqual({ branch: 'main', commit: tip })
    expect(await findTip({ remotes }, null)).toEqual({ branch: 'main', commit: tip })
    expect(server.requests.every((request) => request.method === 'GET')).toBe(true)
  })

  it('is rejected in a repository with sha256 object names', async () => {
    runGit(dir.path, ['init', '--quiet', '--bare', '--object-format=sha256', 'wide.git'])
    expect(await fail(findTip({ url: server.url('wide.git') }))).toMatchObject({ code: 'protocol' })
  })
})

describe('a commit', () => {
  const isTipOf = (commit: string) => isTip({ url: server.url('docs.git'), token, retryPauseMs: 1 }, commit)

  it.each([1, 2])('is found at a branch, a tag or an annotated tag with protocol v%i', async (version) => {
    const origin = `${dir.path}/docs.git`
    server.fault = {
      before: (request) => {
        if (version === 1) delete request.headers['git-protocol']
        return false
      },
    }
    const add = (...args: string[]) => runGit(origin, ['commit-tree', 'main^{tree}', '-m', args.join(' '), ...args])
    const [light, annotated, pulled] = [add('-p', 'main'), add('-p', 'main', '-p', tip), add()]
    runGit(origin, ['tag', 'light', light])
    runGit(origin, ['tag', '-a', '-m', 'v1', 'v1', annotated])
    runGit(origin, ['update-ref', 'refs/pull/1/head', pulled])
    for (const commit of [tip, light, annotated]) expect(await isTipOf(commit)).toBe(true)
    expect(await isTipOf(pulled)).toBe(false)
    for (const name of ['light', 'v1']) runGit(origin, ['tag', '-d', name])
    runGit(origin, ['update-ref', '-d', 'refs/pull/1/head'])
  })
})

describe('a slow server', () => {
  it("is not cut off by the agent's idle timeout", () => {
    const { http: plain, https: secure } = buildGitAgents()
    for (const agent of [plain, secure]) expect(agent).not.toHaveProperty('options.timeout')
    expect(http.globalAgent).toHaveProperty('options.timeout')
  })

  it('times out at the idle deadline', async () => {
    const answers: http.ServerResponse[] = []
    server.fault = { before: (_request, response) => answers.push(response) > 0 }
    const error = await fail(findTip({ deadlines: { idleMs: 1_000 } }))
    expect(error).toMatchObject({ code: 'timeout', status: null })
    expect(answers).toHaveLength(1)
  })

  it('times out at the total deadline even while it sends single bytes', async () => {
    server.fault = {
      before: (_request, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write('0'), 5)
        response.on('close', () => clearInterval(drip))
        return true
      },
    }
    expect(await fail(findTip({ deadlines: { idleMs: 5_000, totalMs: 60 } }))).toMatchObject({ code: 'timeout' })
  })

  it('times out at the connect deadline if the TLS handshake does not complete', async () => {
    const sockets: net.Socket[] = []
    const silent = net.createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/docs.git`
    const deadlines = { connectMs: 30, idleMs: 5_000, totalMs: 5_000 }
    expect(await fail(findTip({ url, deadlines }))).toMatchObject({ code: 'timeout' })
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('aborts and limits', () => {
  it('aborts a request when the signal aborts', async () => {
    const controller = new AbortController()
    server.fault = {
      before: () => {
        controller.abort()
        return true
      },
    }
    expect(await fail(findTip({ signal: controller.signal }))).toMatchObject({ code: 'aborted' })
    expect(await fail(findTip({ signal: controller.signal }))).toMatchObject({ code: 'aborted' })
    expect(server.requests).toHaveLength(1)
  })

  it('aborts the wait before a retry when the signal aborts', async () => {
    const controller = new AbortController()
    server.fault = {
      before: (_request, response) => {
        response.writeHead(503, { 'retry-after': '5' }).end(() => setImmediate(() => controller.abort()))
        return true
      },
    }
    expect(await fail(findTip({ signal: controller.signal }))).toMatchObject({ code: 'aborted' })
  })

  it('stops reading a response at the size limit', async () => {
    expect(await fail(findTip({ maxResponseBytes: 50 }))).toMatchObject({ code: 'too_large' })
  })
})

describe('error handling', () => {
  const respondWith = (status: number, headers: http.OutgoingHttpHeaders = {}, body = '', times = 100) => {
    let left = times
    server.fault = {
      before: (_request, response) => {
        if (left-- <= 0) return false
        response.writeHead(status, headers).end(body)
        return true
      },
    }
  }

  it.each([
    [403, {}, 'forbidden', 1],
    [404, {}, 'not_found', 1],
    [418, {}, 'protocol', 1],
    [403, { 'x-ratelimit-remaining': '0' }, 'rate_limited', 3],
    [429, {}, 'rate_limited', 3],
    [500, {}, 'server_error', 3],
    [503, { 'retry-after': '0' }, 'server_error', 3],
  ])('maps status %i with headers %j to %s after %i requests', async (status, headers, code, requests) => {
    respondWith(status, headers)
    expect(await fail(findTip())).toMatchObject({ code, status })
    expect(server.requests).toHaveLength(requests)
  })

  it('includes the reason for denied access, without control characters or credentials', async () => {
    respondWith(403, { 'content-type': 'text/plain' }, 'This repository was archived: https://me:pw@host/x\u0007.\n')
    const error = await fail(findTip())
    expect(error.message).toBe(
      'The Git host denied access to the repository: This repository was archived: https://host/x.',
    )
  })

  it('retries after a temporary error', async () => {
    respondWith(502, {}, '', 2)
    expect(await findTip()).toMatchObject({ commit: tip })
  })

  it('reports a long retry delay to the caller', async () => {
    respondWith(429, { 'retry-after': '3600' })
    expect(await fail(findTip())).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 })
    expect(server.requests).toHaveLength(1)
    respondWith(429, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() })
    const { retryAfterMs } = await fail(findTip())
    expect(retryAfterMs).toBeGreaterThan(50_000)
  })

  it('retries when the connection breaks, and fails with network if it breaks repeatedly', async () => {
    let left = 1
    server.fault = {
      before: (request) => {
        if (left-- > 0) request.socket.destroy()
        return left >= 0
      },
    }
    expect(await findTip()).toMatchObject({ commit: tip })
    left = 100
    expect(await fail(findTip())).toMatchObject({ code: 'network' })
  })

  it('fails with network when a ref list is truncated', async () => {
    server.fault = {
      after: (request, response, answer) => {
        if (request.method !== 'POST') return false
        response.writeHead(200, answer.headers).end(answer.body.subarray(0, -4))
        return true
      },
    }
    expect(await fail(findTip())).toMatchObject({ code: 'network' })
  })

  it('fails with protocol when the response is an HTML page', async () => {
    respondWith(200, { 'content-type': 'text/html' }, '<html>Sign in</html>')
    expect(await fail(findTip())).toMatchObject({ code: 'protocol' })
  })
})
