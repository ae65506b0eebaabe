import type { TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestHost } from './test-support/open-test-host.ts'

let t: TestHost
beforeAll(async () => {
  t = await openTestHost()
})
afterAll(() => t.close())
afterEach(() => t.host.clearFaults())

const docs = { owner: 'acme', repo: 'docs' }
let head = ''
let serial = 0
const pushTopic = async () => {
  serial += 1
  head = `topic-${serial}`
  await t.pushBranch('acme/docs', head, { [head]: 'x' })
}
const openPull = () => t.octokit.rest.pulls.create({ ...docs, head, base: 'main', title: head })
const pullsOfHead = () => t.host.pulls('acme/docs').filter((pull) => pull.headRef === head).length

describe('faults in REST operations', () => {
  beforeEach(pushTopic)

  it('status: responds once with the status and headers, without applying the request', async () => {
    const headers = { 'retry-after': '7', 'x-ratelimit-remaining': '0' }
    t.host.fault({ op: 'pulls.create', kind: 'status', status: 403, message: 'You have exceeded a limit', headers })
    const expected = { status: 403, response: { headers: { 'retry-after': '7', 'x-ratelimit-remaining': '0' } } }
    await expect(openPull()).rejects.toMatchObject(expected)
    expect(pullsOfHead()).toBe(0)
    expect((await openPull()).status).toBe(201)
    const noted = t.host.requests.filter((request) => request.op === 'pulls.create').slice(-2)
    expect(noted).toMatchObject([{ status: 403, fault: 'status' }, { status: 201 }])
  })

  it('apply-then-status: applies the request but reports an error', async () => {
    t.host.fault({ op: 'pulls.create', kind: 'apply-then-status' })
    await expect(openPull()).rejects.toMatchObject({ status: 502 })
    expect(pullsOfHead()).toBe(1)
    await expect(openPull()).rejects.toMatchObject({ status: 422 })
  })

  it('reset: closes the connection without applying the request', async () => {
    t.host.fault({ op: 'pulls.create', kind: 'reset' })
    await expect(openPull()).rejects.toThrow()
    expect(pullsOfHead()).toBe(0)
    expect(t.host.requests.at(-1)).toMatchObject({ status: 0, fault: 'reset' })
  })

  it('apply-then-reset: applies the request and closes the connection', async () => {
    t.host.fault({ op: 'pulls.create', kind: 'apply-then-reset' })
    await expect(openPull()).rejects.toThrow()
    expect(pullsOfHead()).toBe(1)
  })

  it('delay: delays the response', async () => {
    t.host.fault({ op: 'pulls.create', kind: 'delay', ms: 150 })
    const started = performance.now()
    expect((await openPull()).status).toBe(201)
    expect(performance.now() - started).toBeGreaterThan(140)
  })

  it('responds with a page instead of JSON', async () => {
    t.host.fault({ op: 'repos.get', kind: 'status', status: 200, page: '<p>Soon.</p>' })
    const response = await fetch(`${t.host.apiUrl}/repos/acme/docs`, {
      headers: { authorization: `Bearer ${t.host.token}`, 'user-agent': 'test' },
    })
    expect([response.status, await response.text()]).toEqual([200, '<p>Soon.</p>'])
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('runs the meanwhile action before the request', async () => {
    const meanwhile = () => t.pushBranch('acme/docs', `${head}-late`, { late: 'x' }).then(() => {})
    t.host.fault({ op: 'repos.getBranch', kind: 'delay', meanwhile })
    expect((await t.octokit.rest.repos.getBranch({ ...docs, branch: `${head}-late` })).status).toBe(200)
  })

  it('applies a fault the given number of times to matching requests, and to any operation with *', async () => {
    t.host.fault({ op: '*', kind: 'status', status: 500, times: 2, match: '/branches/' })
    const getBranch = () => t.octokit.rest.repos.getBranch({ ...docs, branch: 'main' })
    await t.octokit.rest.repos.get(docs)
    await expect(getBranch()).rejects.toMatchObject({ status: 500 })
    await expect(getBranch()).rejects.toMatchObject({ status: 500 })
    expect((await getBranch()).status).toBe(200)
    t.host.fault({ op: 'pulls.create', kind: 'status', match: `"head":"${head}"` })
    await expect(openPull()).rejects.toMatchObject({ status: 502 })
  })

  it('removes a permanent fault with clearFaults', async () => {
    t.host.fault({ op: 'repos.get', kind: 'status', times: Number.POSITIVE_INFINITY })
    await expect(t.octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 502 })
    await expect(t.octokit.rest.repos.get(docs)).rejects.toMatchObject({ status: 502 })
    t.host.clearFaults()
    expect((await t.octokit.rest.repos.get(docs)).status).toBe(200)
  })
})

describe('faults in Git operations', () => {
  beforeAll(() => t.git(t.scratch, 'clone', '--quiet', t.remote('acme/docs'), 'work'))

  const pushTo = (ref: string) => t.git(`${t.scratch}/work`, 'push', '--quiet', 'origin', `HEAD:refs/heads/${ref}`)
  const exists = (ref: string) =>
    t.host.git('acme/docs', 'rev-parse', '--verify', `refs/heads/${ref}`).then(
      () => true,
      () => false,
    )

  it.each([
    ['status', false],
    ['reset', false],
    ['apply-then-status', true],
    ['apply-then-reset', true],
  ] as const)('%s on a push (push applied: %s)', async (kind, applied) => {
    // Permanent, because git's HTTP client retries when a reused connection is closed.
    t.host.fault({ op: 'git.push', kind, status: 503, times: Number.POSITIVE_INFINITY })
    await expect(pushTo(`pushed-${kind}`)).rejects.toThrow()
    expect(await exists(`pushed-${kind}`)).toBe(applied)
    const recorded = t.host.stats().refUpdates.filter((update) => update.ref === `refs/heads/pushed-${kind}`)
    expect(recorded).toHaveLength(applied ? 1 : 0)
  })

  it('applies a fault to one step of a fetch', async () => {
    t.host.fault({ op: 'git.listRefs', kind: 'status', status: 500 })
    await expect(t.git(t.scratch, 'ls-remote', t.remote('acme/docs'))).rejects.toThrow(/500/)
    t.host.fault({ op: 'git.advertiseFetch', kind: 'reset' })
    await expect(t.git(t.scratch, 'ls-remote', t.remote('acme/docs'))).rejects.toThrow()
    t.host.fault({ op: 'git.fetch', kind: 'status', status: 429 })
    expect(await t.git(t.scratch, 'ls-remote', t.remote('acme/docs'))).toContain('refs/heads/main')
    await expect(t.git(t.scratch, 'clone', t.remote('acme/docs'), 'never')).rejects.toThrow(/429/)
  })

  it('matches a push by the ref in its body', async () => {
    t.host.fault({ op: 'git.push', kind: 'status', match: 'refs/heads/unlucky' })
    await pushTo('lucky')
    await expect(pushTo('unlucky')).rejects.toThrow(/502/)
  })
})

describe('repositories without write access', () => {
  const push = async (full: string, ref: string) => {
    const dir = `rights-${ref}`
    await t.git(t.scratch, 'clone', '--quiet', t.remote(full), dir)
    return t.git(`${t.scratch}/${dir}`, 'push', '--quiet', 'origin', `HEAD:refs/heads/${ref}`)
  }

  it('read-only: allows clones and rejects pushes and pull requests', async () => {
    await pushTopic()
    t.host.setReadOnly('acme/docs', true)
    await expect(push('acme/docs', 'never')).rejects.toThrow(/403/)
    await expect(openPull()).rejects.toMatchObject({ status: 403 })
    expect((await t.octokit.rest.repos.get(docs)).data.permissions).toMatchObject({ push: false, pull: true })
    t.host.setReadOnly('acme/docs', false)
    await push('acme/docs', 'allowed')
  })

  it('rejecting hook: reports its reason', async () => {
    t.host.refusePushes('acme/docs', 'Name a ticket: $(date) "x".')
    await expect(push('acme/docs', 'hooked')).rejects.toThrow(/Name a ticket: \$\(date\) "x"\.[\s\S]*hook declined/)
    t.host.refusePushes('acme/docs', null)
    await push('acme/docs', 'unhooked')
  })

  it('deleted: responds with not found', async () => {
    await t.host.createRepository('acme/gone', { commits: [{ message: 'x', files: new Map([['a', { data: 'x' }]]) }] })
    await t.host.deleteRepository('acme/gone')
    await expect(t.octokit.rest.repos.get({ owner: 'acme', repo: 'gone' })).rejects.toMatchObject({ status: 404 })
    await expect(push('acme/gone', 'gone')).rejects.toThrow(/not found/i)
  })
})

describe('closing', () => {
  it('does not wait for hanging requests', async () => {
    const other = await openTestHost()
    other.host.fault({ op: 'repos.get', kind: 'delay', ms: 600_000 })
    const hanging = expect(other.octokit.rest.repos.get(docs)).rejects.toThrow()
    await expect.poll(() => other.host.requests.length).toBe(1)
    await other.close()
    await hanging
  })
})
