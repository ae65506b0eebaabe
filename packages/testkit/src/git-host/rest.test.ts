import { OPERATIONS } from '@corrigenda/demo'
import type { TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { Octokit } from '@octokit/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadOpenapi } from './openapi.ts'
import { openTestHost } from './test-support/open-test-host.ts'

let t: TestHost
beforeAll(async () => {
  t = await openTestHost()
})
afterAll(() => t.close())

const docs = { owner: 'acme', repo: 'docs' }
let serial = 0
let head = ''
beforeEach(async () => {
  serial += 1
  head = `topic-${serial}`
  await t.pushBranch('acme/docs', head, { [`topic/${serial}.md`]: `Topic ${serial}\n` })
})
const api = (path: string, init: RequestInit = {}) =>
  fetch(`${t.host.apiUrl}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `token ${t.host.token}`, 'user-agent': 'test', ...init.headers },
  })
const post = (path: string, body: unknown) =>
  api(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('reading', () => {
  it('returns the token owner', async () => {
    const user = await t.octokit.rest.users.getAuthenticated()
    expect(user.data.login).toBe('corrigenda-bot')
    expect(user.headers['x-github-request-id']).toMatch(/^[0-9A-F]{20}$/)
  })

  it('returns repositories and branches', async () => {
    const repository = await t.octokit.rest.repos.get(docs)
    expect(repository.data).toMatchObject({ full_name: 'acme/docs', default_branch: 'main', archived: false })
    const tip = await t.host.git('acme/docs', 'rev-parse', 'main')
    const branch = await t.octokit.rest.repos.getBranch({ ...docs, branch: 'main' })
    expect(branch.data).toMatchObject({ name: 'main', commit: { sha: tip } })
    expect(branch.data.commit.commit.message).toBe('Second page')
    await expect(t.octokit.rest.repos.getBranch({ ...docs, branch: 'none' })).rejects.toThrow(/Branch not found/)
  })

  it('finds branches with slashes in their names', async () => {
    await t.pushBranch('acme/docs', 'corrigenda/job-1', { 'x.md': 'x' })
    const { data } = await t.octokit.rest.repos.getBranch({ ...docs, branch: 'corrigenda/job-1' })
    expect(data.name).toBe('corrigenda/job-1')
    expect((await api('/repos/acme/docs/branches/corrigenda/job-1')).status).toBe(200)
    expect((await api('/repos/acme/docs/branches/corrigenda%2Fjob-1')).status).toBe(200)
  })

  it('lists the entries of a tree, with subfolders on request', async () => {
    const { data } = await t.octokit.rest.git.getTree({ ...docs, tree_sha: head, recursive: '1' })
    const entries = data.tree.map(({ type, path }) => `${type} ${path}`)
    expect(entries).toEqual(expect.arrayContaining(['tree topic', `blob topic/${serial}.md`]))
    expect(data.truncated).toBe(false)
    const top = await t.octokit.rest.git.getTree({ ...docs, tree_sha: head })
    expect(top.data.tree.map(({ path }) => path)).not.toContain(`topic/${serial}.md`)
    const absent = t.octokit.rest.git.getTree({ ...docs, tree_sha: 'absent' })
    await expect(absent).rejects.toMatchObject({ status: 404 })
  })
})

describe('access', () => {
  it('requires a User-Agent', async () => {
    const response = await api('/user', { headers: { 'user-agent': '' } })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('User-Agent')
  })

  it('hides private repositories from other users and rejects invalid tokens', async () => {
    const stranger = new Octokit({ baseUrl: t.host.apiUrl, log: t.octokit.log })
    await expect(stranger.rest.repos.get(docs)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 })
    const wrong = new Octokit({ baseUrl: t.host.apiUrl, auth: 'ghp_wrong', log: t.octokit.log })
    const bad = { status: 401, message: expect.stringMatching(/^Bad credentials/) }
    await expect(wrong.rest.repos.get(docs)).rejects.toMatchObject(bad)
  })

  it('records requests that it does not support', async () => {
    const response = await api('/repos/acme/docs/deployments')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ message: 'Not Found', status: '404' })
    expect(t.host.stats().unknown).toContain('GET /api/v3/repos/acme/docs/deployments')
  })
})

describe('checks', () => {
  it("reports a ref's check runs and combined status", async () => {
    const sha = await t.host.git('acme/docs', 'rev-parse', head)
    const none = await t.octokit.rest.repos.getCombinedStatusForRef({ ...docs, ref: head })
    expect(none.data).toMatchObject({ state: 'pending', total_count: 0 })
    t.host.setStatus('acme/docs', { sha, context: 'ci/links', state: 'success' })
    t.host.setStatus('acme/docs', { sha, context: 'ci/spelling', state: 'failure' })
    const failing = await t.octokit.rest.repos.getCombinedStatusForRef({ ...docs, ref: sha })
    expect(failing.data).toMatchObject({ state: 'failure', total_count: 2 })
    t.host.setStatus('acme/docs', { sha, context: 'ci/spelling', state: 'success' })
    const passing = await t.octokit.rest.repos.getCombinedStatusForRef({ ...docs, ref: head })
    expect(passing.data).toMatchObject({ state: 'success', total_count: 2 })
    t.host.setCheckRun('acme/docs', { sha, name: 'build', status: 'in_progress' })
    t.host.setCheckRun('acme/docs', { sha, name: 'build', status: 'completed', conclusion: 'failure' })
    const runs = await t.octokit.rest.checks.listForRef({ ...docs, ref: head })
    expect(runs.data.check_runs).toMatchObject([{ name: 'build', conclusion: 'failure' }])
  })
})

describe('renamed repositories', () => {
  it('returns 301 for a GET and 307 for a write, with the ID in the new URL', async () => {
    await t.host.createRepository('acme/before', {
      commits: [{ message: 'S', files: new Map([['a', { data: 'a' }]]) }],
    })
    await t.host.pushCommit('acme/before', 'topic', { files: new Map([['b', { data: 'b' }]]), message: 'b' })
    const { id } = (await t.octokit.rest.repos.get({ owner: 'acme', repo: 'before' })).data
    await t.host.rename('acme/before', 'acme/after')
    const moved = await api('/repos/acme/before/pulls?state=all')
    expect(moved.status).toBe(301)
    expect(moved.headers.get('location')).toBe(`${t.host.apiUrl}/repositories/${id}/pulls?state=all`)
    const redirected = await t.octokit.rest.repos.get({ owner: 'acme', repo: 'before' })
    expect(redirected.data).toMatchObject({ id, full_name: 'acme/after' })
    const pull = { title: 'T', head: 'topic', base: 'main' }
    expect((await post('/repos/acme/before/pulls', pull)).status).toBe(307)
    const created = await t.octokit.rest.pulls.create({ owner: 'acme', repo: 'before', ...pull })
    expect(created.data.html_url).toBe(`${t.host.url}/acme/after/pull/1`)
  })
})

describe("checks against GitHub's OpenAPI description", () => {
  const openapi = loadOpenapi()
  it("respond with 500 if the host's response violates the description", async () => {
    const sha = await t.host.git('acme/docs', 'rev-parse', head)
    t.host.setStatus('acme/docs', { sha, context: 7 as never, state: 'success' })
    const response = await api(`/repos/acme/docs/commits/${sha}/status`)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('/statuses/0/context must be string')
  })

  it('detect responses that violate the description, and allow responses that omit fields', () => {
    expect(openapi.findAnswerFault('repos.get', 200, { name: 7 })).toMatch(/\/name must be string/)
    expect(openapi.findAnswerFault('repos.get', 200, { nome: 'docs' })).toMatch(/must NOT have additional properties/)
    expect(openapi.findAnswerFault('repos.get', 299, {})).toMatch(/has no response 299/)
    expect(openapi.findAnswerFault('repos.get', 200, { name: 'docs' })).toBeNull()
    expect(openapi.findAnswerFault('repos.createDispatchEvent', 204, undefined)).toBeNull()
  })

  it("cover the host's operations with the same methods and paths", () => {
    const described = [...openapi.operations].map(([op, { method, path, parameters }]) => {
      const spans = (name: string) => parameters.some((one) => one.name === name && one.multiSegment)
      return [op, `${method} ${path.replace(/\{(\w+)\}/g, (_, name) => `{${name}${spans(name) ? '+' : ''}}`)}`]
    })
    const served = Object.entries(OPERATIONS).map(([op, operation]) => [op, operation.split('?')[0]])
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(described))
  })
})
