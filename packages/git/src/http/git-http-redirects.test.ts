import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRepository, makeTempDir, runGit } from '../test-support/fixture.ts'
import { type GitServer, startGitServer } from '../test-support/git-server.ts'
import { type GitHttpOptions, toAuthorization } from './git-http.ts'
import { GitHttpError } from './git-http-error.ts'
import { findBranchTip } from './list-refs.ts'
import { resolveRedirect } from './repository-url.ts'

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

async function listen(handler: http.RequestListener) {
  const seen: http.IncomingMessage[] = []
  const other = http.createServer((request, response) => {
    seen.push(request)
    handler(request, response)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    port: (other.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    },
  }
}

describe('redirects and the token', () => {
  const redirect = (location: string, status = 301) => {
    server.fault = {
      before: (request, response) => {
        if (!request.url?.startsWith('/old.git')) return false
        response.writeHead(status, { location }).end()
        return true
      },
    }
  }

  it('follows a repository rename on the same host and posts to the new URL', async () => {
    redirect('/docs.git/info/refs?service=git-upload-pack')
    expect(await findTip({ url: server.url('old.git') })).toMatchObject({ commit: tip })
    expect(server.requests.map((request) => request.url)).toEqual([
      '/old.git/info/refs?service=git-upload-pack',
      '/docs.git/info/refs?service=git-upload-pack',
      '/docs.git/git-upload-pack',
    ])
  })

  it('detects that a repository was renamed after its URL was cached', async () => {
    const remotes = new Map()
    await findTip({ url: server.url('docs.git'), remotes })
    const facts = [...remotes.values()][0]
    remotes.set(new URL(server.url('old.git')).href, { ...facts, base: server.url('old.git') })
    redirect('/docs.git/info/refs?service=git-upload-pack')
    expect(await findTip({ url: server.url('old.git'), remotes })).toMatchObject({ commit: tip })
  })

  it('does not follow a redirect to a different port or host', async () => {
    await using other = await listen((_request, response) => response.end())
    redirect(`http://127.0.0.1:${other.port}/docs.git/info/refs?service=git-upload-pack`)
    expect(await fail(findTip({ url: server.url('old.git') }))).toMatchObject({ code: 'redirected', status: 301 })
    expect(other.seen).toHaveLength(0)
    const port = new URL(server.origin).port
    redirect(`http://localhost:${port}/docs.git/info/refs?service=git-upload-pack`)
    expect(await fail(findTip({ url: server.url('old.git') }))).toMatchObject({ code: 'redirected' })
  })

  it.each([
    ['http://git.example.com/new/info/refs?service=git-upload-pack', 'from https to http'],
    ['https://git.example.com:8443/new/info/refs?service=git-upload-pack', 'to a different port'],
    ['https://evil.example.com/new/info/refs?service=git-upload-pack', 'to a different host'],
    ['https://169.254.169.254/info/refs?service=git-upload-pack', 'to an internal IP address'],
    ['https://u:p@git.example.com/new/info/refs?service=git-upload-pack', 'with credentials'],
    ['https://git.example.com/login', 'to a page'],
    ['http://[', 'to an invalid URL'],
  ])('does not follow %s (%s)', (location) => {
    const from = new URL('https://git.example.com/old/info/refs?service=git-upload-pack')
    const answer = { status: 302, headers: { location }, body: Buffer.alloc(0) }
    expect(() => resolveRedirect(from, answer, '/info/refs?service=git-upload-pack')).toThrow(GitHttpError)
  })

  it('sends the token only to the configured scheme, host and port', () => {
    const configured = new URL('https://git.example.com/docs')
    const given = (url: string) => Object.keys(toAuthorization(token, configured, new URL(url))).length === 1
    expect(given('https://git.example.com/other')).toBe(true)
    expect(given('https://git.example.com:443/other')).toBe(true)
    expect(given('https://git.example.com:8443/docs')).toBe(false)
    expect(given('http://git.example.com/docs')).toBe(false)
    expect(given('https://evil.example.com/docs')).toBe(false)
    expect(given('https://git.example.com.evil.com/docs')).toBe(false)
  })

  it('rejects redirect loops', async () => {
    redirect('/old.git/info/refs?service=git-upload-pack')
    expect(await fail(findTip({ url: server.url('old.git') }))).toMatchObject({ code: 'redirected' })
    expect(server.requests).toHaveLength(4)
  })

  it.each([
    'http://git.example.com/docs.git',
    'http://10.0.0.1/docs.git',
    'https://user:pass@git.example.com/docs.git',
    'https://git.example.com/docs.git?x=1',
    'ssh://git@git.example.com/docs.git',
    'file:///etc/passwd',
    'nonsense',
  ])('rejects the URL %s', async (url) => {
    expect(await fail(findTip({ url }))).toMatchObject({ code: 'protocol' })
  })
})

describe('authentication', () => {
  it('does not retry after the host rejects the token', async () => {
    expect(await fail(findTip({ token: 'ghs_wrong' }))).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.authorization).toMatch(/^Basic /)
  })

  it('sends no authorization header if no token is configured', async () => {
    expect(await fail(findTip({ token: null }))).toMatchObject({ code: 'unauthorized' })
    expect(server.requests[0]?.authorization).toBeNull()
  })
})
