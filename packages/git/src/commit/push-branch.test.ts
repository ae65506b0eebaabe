import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GitHttpOptions } from '../http/git-http.ts'
import { GitHttpError } from '../http/git-http-error.ts'
import { encodePkt, FLUSH_PKT } from '../http/pkt-line.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { runGit } from '../test-support/fixture.ts'
import type { CgiAnswer, Fault } from '../test-support/git-server.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { type BuiltCommit, buildCommit } from './build-commit.ts'
import { PushRejectedError, pushBranch } from './push-branch.ts'

const who = { name: 'Corrigenda', email: 'bot@example.com' }
let host: Harness
let snapshot: Snapshot
let ours: BuiltCommit
let theirs: BuiltCommit
let next = 0

async function build(text: string): Promise<BuiltCommit> {
  const changes = [{ path: 'docs/new.md', mode: '100644', content: Buffer.from(text) }] as const
  const input = { snapshot, changes, message: text, author: who, committer: who, timestamp: 1_800_000_000 }
  const built = await buildCommit(input)
  if (!built) throw new Error('expected a commit')
  return built
}

beforeAll(async () => {
  host = await startHarness([{ path: 'README.md', content: 'hello\n' }])
  snapshot = await host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
  ours = await build('ours')
  theirs = await build('theirs')
})
afterEach(() => {
  host.server.fault = null
  host.server.requests.length = 0
})
afterAll(async () => {
  await snapshot[Symbol.asyncDispose]()
  await host[Symbol.asyncDispose]()
})

const newBranch = () => `corrigenda/job-${++next}`

function push(branch: string, built = ours, expected: string | null = null, http: Partial<GitHttpOptions> = {}) {
  return pushBranch({ http: { url: host.url, token: host.token, retryPauseMs: 1, ...http }, branch, expected, built })
}

const tipOf = (branch: string) => runGit(host.origin, ['rev-parse', `refs/heads/${branch}`])
const isPush = (request: { method?: string | undefined; url?: string | undefined }) =>
  request.method === 'POST' && request.url?.endsWith('/git-receive-pack') === true

/** Injects a fault into the first `times` pushes, before or after git executes them. */
function injectFault(
  when: 'before' | 'after',
  act: (response: import('node:http').ServerResponse) => void,
  times = 1,
): void {
  let left = times
  const fault: Fault = {
    [when]: (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
      if (!isPush(request) || left-- <= 0) return false
      act(response)
      return true
    },
  }
  host.server.fault = fault
}

describe('a push', () => {
  it('creates a branch, updates it, and detects a repeated push', async () => {
    const branch = newBranch()
    expect(await push(branch)).toBe('pushed')
    expect(tipOf(branch)).toBe(ours.commit)
    expect(await push(branch)).toBe('already_there')
    expect(await push(branch, theirs, ours.commit)).toBe('pushed')
    expect(tipOf(branch)).toBe(theirs.commit)
    expect(await push(branch, theirs, ours.commit)).toBe('already_there')
  })

  it('sends a single request', async () => {
    await push(newBranch())
    expect(host.server.requests).toHaveLength(1)
  })

  it.each([
    ['the connection breaks', (response: import('node:http').ServerResponse) => response.destroy()],
    ['the host responds with 502', (response: import('node:http').ServerResponse) => response.writeHead(502).end()],
    ['the report is truncated', (response: import('node:http').ServerResponse) => response.writeHead(200).end('0030')],
    ['the report is missing', (response: import('node:http').ServerResponse) => response.writeHead(200).end('0000')],
  ])('returns already_there when the host executes it but %s', async (_why, act) => {
    const branch = newBranch()
    injectFault('after', act)
    expect(await push(branch)).toBe('already_there')
    expect(tipOf(branch)).toBe(ours.commit)
    expect(host.server.requests.filter(isPush)).toHaveLength(1)
  })

  it('returns already_there when the host executes it but the response times out', async () => {
    const branch = newBranch()
    injectFault('after', () => undefined)
    expect(await push(branch, ours, null, { deadlines: { idleMs: 5_000 } })).toBe('already_there')
  })

  it.each([
    ['the connection breaks', (response: import('node:http').ServerResponse) => response.destroy()],
    ['the host responds with 503', (response: import('node:http').ServerResponse) => response.writeHead(503).end()],
    [
      'the host responds with 429',
      (response: import('node:http').ServerResponse) => response.writeHead(429, { 'retry-after': '0' }).end(),
    ],
  ])('is retried when %s before the host executes it', async (_why, act) => {
    const branch = newBranch()
    injectFault('before', act)
    expect(await push(branch)).toBe('pushed')
    expect(tipOf(branch)).toBe(ours.commit)
  })

  it('fails after the maximum number of attempts', async () => {
    injectFault('before', (response) => response.writeHead(503).end(), 100)
    await expect(push(newBranch())).rejects.toMatchObject({ name: 'GitHttpError', code: 'server_error' })
    expect(host.server.requests.filter(isPush)).toHaveLength(3)
  })

  it('reports a long retry delay to the caller', async () => {
    injectFault('before', (response) => response.writeHead(429, { 'retry-after': '900' }).end(), 100)
    await expect(push(newBranch())).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 900_000 })
  })

  it('follows a renamed repository', async () => {
    host.server.fault = {
      before: (request, response) => {
        if (!request.url?.startsWith('/old.git')) return false
        response.writeHead(301, { location: request.url.replace('/old.git', '/docs.git') }).end()
        return true
      },
    }
    const branch = newBranch()
    expect(await push(branch, ours, null, { url: host.server.url('old.git') })).toBe('pushed')
    expect(tipOf(branch)).toBe(ours.commit)
  })
})

describe('a push is rejected', () => {
  it.each([
    ['the branch exists at a different commit', null],
    ['the branch is not at the expected commit', 'main'],
  ])('as a conflict when %s', async (_why, expected) => {
    const branch = newBranch()
    await push(branch, theirs)
    const old = expected === null ? null : tipOf(expected)
    const error = await push(branch, ours, old).catch((reason) => reason)
    expect(error).toBeInstanceOf(PushRejectedError)
    expect(error.code).toBe('branch_conflict')
    expect(tipOf(branch)).toBe(theirs.commit)
  })

  it('as a conflict when another client pushed first and the response was lost', async () => {
    const branch = newBranch()
    injectFault('before', (response) => {
      runGit(host.origin, ['update-ref', `refs/heads/${branch}`, snapshot.commit])
      response.destroy()
    })
    await expect(push(branch)).rejects.toMatchObject({ code: 'branch_conflict' })
    expect(tipOf(branch)).toBe(snapshot.commit)
  })

  it('as protected when a hook on the host rejects the push', async () => {
    const hook = join(host.origin, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "GH006: Protected branch update failed" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const error = await push(newBranch()).catch((reason) => reason)
    writeFileSync(hook, '#!/bin/sh\nexit 0\n')
    expect(error).toMatchObject({ name: 'PushRejectedError', code: 'branch_protected' })
    expect(error.message).toContain('GH006: Protected branch update failed')
  })

  it("as rejected with the host's message for any other reason", async () => {
    const answer = (lines: string[]): CgiAnswer['body'] => {
      const report = Buffer.concat([...lines.map((line) => encodePkt(`${line}\n`)), FLUSH_PKT])
      return Buffer.concat([encodePkt(Buffer.concat([Buffer.from([1]), report])), FLUSH_PKT])
    }
    const branch = newBranch()
    injectFault('before', (response) =>
      response.writeHead(200).end(answer(['unpack index-pack failed', `ng refs/heads/${branch} unpacker error`])),
    )
    const error = await push(branch).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'rejected' })
    expect(error.message).toContain('unpacker error unpack index-pack failed')
  })

  it.each([7, 39, 40, 41])("with the host's remark, also if it is split after %i bytes", async (at) => {
    const branch = newBranch()
    const remark = Buffer.from('Add the label granite to changes of Größe and Maß.\n')
    const report = Buffer.concat([encodePkt('unpack ok\n'), encodePkt(`ng refs/heads/${branch} no\n`), FLUSH_PKT])
    const bands = [
      [2, remark.subarray(0, at)],
      [1, report.subarray(0, at)],
      [2, remark.subarray(at)],
      [1, report.subarray(at)],
    ] as const
    const pkts = bands.map(([band, bytes]) => encodePkt(Buffer.concat([Buffer.from([band]), bytes])))
    injectFault('before', (response) => response.writeHead(200).end(Buffer.concat([...pkts, FLUSH_PKT])))
    const error = await push(branch).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'rejected' })
    expect(error.message).toContain('no Add the label granite to changes of Größe and Maß.')
  })

  it('as forbidden, without a retry, if the repository is archived', async () => {
    injectFault('before', (response) =>
      response.writeHead(403, { 'content-type': 'text/plain' }).end('This repository was archived so it is read-only.'),
    )
    const error = await push(newBranch()).catch((reason) => reason)
    expect(error).toBeInstanceOf(GitHttpError)
    expect(error).toMatchObject({ code: 'forbidden', status: 403 })
    expect(error.message).toContain('archived')
    expect(host.server.requests).toHaveLength(1)
  })

  it('as unauthorized if the token is wrong', async () => {
    await expect(push(newBranch(), ours, null, { token: 'ghs_wrong' })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(host.server.requests).toHaveLength(1)
  })

  it('as aborted when the signal aborts', async () => {
    const controller = new AbortController()
    injectFault('before', () => controller.abort())
    await expect(push(newBranch(), ours, null, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})
