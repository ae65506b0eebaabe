import type { GitHost as LocalGitHost } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { ensurePullRequest } from './ensure-pull-request.ts'
import { failOf, openHost, type PrepareArguments, prepareJob } from './test-support/prepare-job.ts'

let host: LocalGitHost
let close: () => Promise<void>
beforeAll(async () => {
  ;({ host, close } = await openHost())
})
afterAll(() => close())

const prepare = (...[some, settings]: PrepareArguments) => prepareJob(host, some, settings)

describe('creating a pull request with an unknown outcome', () => {
  test.each(['apply-then-reset', 'apply-then-status'] as const)('finds the created pull request (%s)', async (kind) => {
    const { full, count, ensure } = await prepare({ labels: ['docs'] })
    host.fault({ op: 'pulls.create', kind, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, state: 'open' })
    expect(host.pulls(full)).toMatchObject([{ labels: ['docs'] }])
    expect(count('pulls.create')).toBe(1)
    expect(count('pulls.list')).toBe(2)
  })

  test.each(['reset', 'status'] as const)('retries if no pull request was created (%s)', async (kind) => {
    const { full, count, ensure } = await prepare()
    host.fault({ op: 'pulls.create', kind, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, created: true })
    expect(host.pulls(full)).toHaveLength(1)
    expect([count('pulls.list'), count('pulls.create')]).toEqual([2, 2])
  })

  test('finds the pull request after a timeout', async () => {
    const { full, ensure } = await prepare({}, { timeoutMs: 2_000 })
    host.fault({ op: 'pulls.create', kind: 'delay', ms: 2_500, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1 })
    expect(host.pulls(full)).toHaveLength(1)
  })

  test('fails when the host outage continues', async () => {
    const { full, count, ensure } = await prepare()
    host.fault({ op: 'pulls.create', kind: 'status', status: 503, times: 10, match: full })
    expect(await failOf(ensure())).toMatchObject({ code: 'server_error', status: 503 })
    expect(count('pulls.create')).toBe(4)
    host.clearFaults()
  })

  test('returns a pull request created by another worker after the host reports "already exists"', async () => {
    const { full, count, ensure } = await prepare()
    const meanwhile = async () => expect(await ensure()).toMatchObject({ number: 1, created: true })
    host.fault({ op: 'pulls.create', kind: 'delay', meanwhile, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, created: false })
    expect([count('pulls.list'), count('pulls.create')]).toEqual([3, 2])
    expect(host.pulls(full)).toHaveLength(1)
  })

  test.each([
    ['an unknown reason', { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom' }] }],
    ['no commits', { message: 'Validation Failed', errors: [{ message: 'No commits between main and topic' }] }],
  ])('uses a pull request that exists although the host answers 422 with %s', async (_, body) => {
    let creations = 0
    const refusing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'POST' || !String(input).endsWith('/pulls')) return response
      creations += 1
      return Response.json(body, { status: 422 })
    }
    const { full, ensure } = await prepare({}, { fetch: refusing })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, created: false })
    expect([creations, host.pulls(full).length]).toEqual([1, 1])
  })

  test('repeats the lookup after "already exists" until the list contains the pull request', async () => {
    let hidden = 3
    const lagging: typeof fetch = (input, init) => {
      const isList = String(input).includes('/pulls?')
      return isList && hidden-- > 0 ? Promise.resolve(Response.json([])) : fetch(input, init)
    }
    const { full, count, ensure } = await prepare({}, { fetch: lagging })
    expect(await ensure()).toMatchObject({ created: true })
    expect(await ensure()).toMatchObject({ number: 1, created: false })
    expect([count('pulls.create'), host.pulls(full).length]).toEqual([3, 1])
  })

  test('retries reads after a 502 and a secondary rate limit', async () => {
    const { full, ensure } = await prepare()
    host.fault({ op: 'pulls.list', kind: 'status', status: 502, times: 2, match: full })
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
    host.fault({
      op: 'pulls.create',
      kind: 'status',
      status: 403,
      message,
      headers: { 'retry-after': '1' },
      match: full,
    })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, created: true })
  })
})

describe('when the host rejects a pull request', () => {
  test('returns the reason if the job caused the rejection', async () => {
    const { full, ensure, gitHost, input } = await prepare()
    expect(await ensure({ base: 'nowhere' })).toMatchObject({ kind: 'refused', code: 'invalid_base' })
    expect(await ensure({ branch: 'gone' })).toMatchObject({ kind: 'refused', code: 'invalid_head' })
    expect(await ensure({ base: input.branch })).toMatchObject({ kind: 'refused', code: 'no_commits' })
    expect(host.pulls(full)).toEqual([])
    expect(gitHost.repository.path).toBe(full)
  })

  test('retries if the API does not list the branch yet', async () => {
    const { full, deps, gitHost, ensure, input } = await prepare({ branch: 'late' })
    let unknown = 2
    const creations: unknown[] = []
    const slow: GitHost = {
      ...gitHost,
      createPullRequest: (asked) => {
        creations.push(asked)
        if (unknown-- <= 0) return gitHost.createPullRequest(asked)
        return Promise.reject(new GitHostError('validation', 'x', { problem: 'unknown_head' }))
      },
    }
    expect(await ensurePullRequest({ ...deps, gitHost: slow }, input)).toMatchObject({ kind: 'ready', created: true })
    expect([creations.length, host.pulls(full).length]).toEqual([3, 1])
    expect(await ensure()).toMatchObject({ number: 1, created: false })
  })

  test('throws an error if the credential or the repository caused the rejection', async () => {
    const { full, ensure } = await prepare()
    host.archive(full, true)
    expect(await failOf(ensure())).toMatchObject({ code: 'archived', status: 403 })
    const stranger = await prepare({}, { token: ['ghp', 'x'.repeat(36)].join('_') })
    expect(await failOf(stranger.ensure())).toMatchObject({ code: 'unauthorized', status: 401 })
  })

  test('fails with the code aborted when the signal aborts', async () => {
    const stop = new AbortController()
    const { full, count, ensure } = await prepare({ signal: stop.signal })
    host.fault({ op: 'pulls.create', kind: 'delay', ms: 300, match: full })
    const work = failOf(ensure())
    await expect.poll(() => count('pulls.create')).toBe(1)
    stop.abort()
    expect(await work).toMatchObject({ code: 'aborted' })
  })
})
