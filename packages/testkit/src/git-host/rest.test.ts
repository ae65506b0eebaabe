import { Octokit } from '@octokit/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadOpenapi } from './openapi.ts'
import { openTestHost, type TestHost } from './test-support/open-test-host.ts'

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
const openPull = (extra: Record<string, unknown> = {}) =>
  t.octokit.rest.pulls.create({ ...docs, head, base: 'main', title: `Topic ${serial}`, ...extra })
const api = (path: string, init: RequestInit = {}) =>
  fetch(`${t.host.apiUrl}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `token ${t.host.token}`, 'user-agent': 'test', ...init.headers },
  })
const post = (path: string, body: unknown) =>
  api(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('asking', () => {
  it('answers about itself, its limits and the owner of the token', async () => {
    expect((await t.octokit.rest.meta.get()).data.verifiable_password_authentication).toBe(false)
    expect((await t.octokit.rest.rateLimit.get()).data.rate.remaining).toBeGreaterThan(0)
    const user = await t.octokit.rest.users.getAuthenticated()
    expect(user.data.login).toBe('corrigenda-bot')
    expect(user.headers['x-ratelimit-resource']).toBe('core')
    expect(user.headers['x-github-request-id']).toMatch(/^[0-9A-F]{20}$/)
  })

  it('answers about repositories, branches and refs', async () => {
    const repository = await t.octokit.rest.repos.get(docs)
    expect(repository.data).toMatchObject({ full_name: 'acme/docs', default_branch: 'main', archived: false })
    expect(repository.data.clone_url).toBe(`${t.host.url}/acme/docs.git`)
    const tip = await t.host.git('acme/docs', 'rev-parse', 'main')
    const branch = await t.octokit.rest.repos.getBranch({ ...docs, branch: 'main' })
    expect(branch.data).toMatchObject({ name: 'main', protected: false, commit: { sha: tip } })
    expect(branch.data.commit.commit.message).toBe('Second page')
    const ref = await t.octokit.rest.git.getRef({ ...docs, ref: 'heads/main' })
    expect(ref.data).toMatchObject({ ref: 'refs/heads/main', object: { sha: tip, type: 'commit' } })
    await expect(t.octokit.rest.repos.getBranch({ ...docs, branch: 'none' })).rejects.toThrow(/Branch not found/)
    await expect(t.octokit.rest.git.getRef({ ...docs, ref: 'heads/no ne' })).rejects.toMatchObject({ status: 404 })
  })

  it('finds branches whose names hold slashes', async () => {
    await t.pushBranch('acme/docs', 'corrigenda/job-1', { 'x.md': 'x' })
    const { data } = await t.octokit.rest.repos.getBranch({ ...docs, branch: 'corrigenda/job-1' })
    expect(data.name).toBe('corrigenda/job-1')
    expect((await api('/repos/acme/docs/git/ref/heads/corrigenda/job-1')).status).toBe(200)
    expect((await api('/repos/acme/docs/git/ref/heads%2Fcorrigenda%2Fjob-1')).status).toBe(200)
  })

  it('deletes a ref, once', async () => {
    await t.octokit.rest.git.deleteRef({ ...docs, ref: `heads/${head}` })
    expect(t.host.stats().refUpdates.at(-1)).toMatchObject({ ref: `refs/heads/${head}`, via: 'rest' })
    const again = t.octokit.rest.git.deleteRef({ ...docs, ref: `heads/${head}` })
    await expect(again).rejects.toMatchObject({ status: 422, message: expect.stringMatching(/does not exist/) })
    t.host.protect('acme/docs', 'kept')
    await t.pushBranch('acme/docs', 'kept', { 'k.md': 'k' })
    await expect(t.octokit.rest.git.deleteRef({ ...docs, ref: 'heads/kept' })).rejects.toMatchObject({ status: 422 })
  })
})

describe('who may', () => {
  it('wants a User-Agent', async () => {
    const response = await api('/user', { headers: { 'user-agent': '' } })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('User-Agent')
  })

  it('hides private repositories from strangers and refuses bad tokens', async () => {
    const stranger = new Octokit({ baseUrl: t.host.apiUrl, log: t.octokit.log })
    await expect(stranger.rest.repos.get(docs)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 })
    expect((await stranger.rest.meta.get()).status).toBe(200)
    const wrong = new Octokit({ baseUrl: t.host.apiUrl, auth: 'ghp_wrong', log: t.octokit.log })
    const bad = { status: 401, message: expect.stringMatching(/^Bad credentials/) }
    await expect(wrong.rest.repos.get(docs)).rejects.toMatchObject(bad)
    await expect(wrong.rest.meta.get()).rejects.toMatchObject(bad)
  })

  it('notes what it does not serve', async () => {
    const response = await api('/repos/acme/docs/deployments')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ message: 'Not Found', status: '404' })
    expect(t.host.stats().unknown).toContain('GET /api/v3/repos/acme/docs/deployments')
  })
})

describe('pull requests', () => {
  it('opens one and shows it alone and in lists', async () => {
    const { data, status } = await openPull({ body: 'Why', draft: true })
    expect(status).toBe(201)
    expect(data).toMatchObject({ state: 'open', draft: true, body: 'Why', commits: 1, additions: 1, changed_files: 1 })
    expect(data.html_url).toBe(`${t.host.url}/acme/docs/pull/${data.number}`)
    expect(data.user.login).toBe('corrigenda-bot')
    const again = await t.octokit.rest.pulls.get({ ...docs, pull_number: data.number })
    expect(again.data).toEqual(data)
    const found = await t.octokit.rest.pulls.list({ ...docs, state: 'all', head: `acme:${head}` })
    expect(found.data.map((pull) => pull.number)).toEqual([data.number])
    const elsewhere = await t.octokit.rest.pulls.list({ ...docs, head: `someone:${head}` })
    expect(elsewhere.data).toEqual([])
  })

  it('filters nothing by a head without an owner', async () => {
    await openPull()
    const all = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 100 })
    const bare = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 100, head: 'no-such-branch' })
    expect(bare.data.length).toBe(all.data.length)
  })

  it('pages with Link headers that Octokit follows', async () => {
    await openPull()
    while (t.host.pulls('acme/docs').length < 5) {
      const branch = `page-${t.host.pulls('acme/docs').length}`
      await t.pushBranch('acme/docs', branch, { [branch]: 'x' })
      await t.octokit.rest.pulls.create({ ...docs, head: branch, base: 'main', title: branch })
    }
    const query = { ...docs, state: 'all', per_page: 2, direction: 'asc' } as const
    const first = await t.octokit.rest.pulls.list(query)
    expect(first.data).toHaveLength(2)
    expect(first.headers.link).toMatch(/page=2>; rel="next", <.*>; rel="last"$/)
    const pages = await t.octokit.paginate(t.octokit.rest.pulls.list, query)
    expect(pages.map((pull) => pull.number)).toEqual(t.host.pulls('acme/docs').map((pull) => pull.number))
    const newest = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 1 })
    expect(newest.data[0]?.number).toBe(pages.at(-1)?.number)
  })

  it('refuses a second one for the same branch, even when both come at once', async () => {
    const results = await Promise.allSettled([openPull(), openPull(), openPull()])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const message = `A pull request already exists for acme:${head}.`
    const errors = [{ resource: 'PullRequest', code: 'custom', message }]
    await expect(openPull()).rejects.toMatchObject({ status: 422, response: { data: { errors } } })
    expect(t.host.stats().duplicates).toEqual({})
  })

  it.each([
    ['no title', { title: undefined }, /"title"|missing_field|Validation Failed/],
    ['a blank title', { title: ' ' }, /missing_field/],
    ['a long title', { title: 'x'.repeat(257) }, /title is too long \(maximum is 256 characters\)/],
    ['a long body', { body: 'x'.repeat(65_537) }, /body is too long \(maximum is 65536 characters\)/],
    ['an unknown head', { head: 'nowhere' }, /"field":"head","code":"invalid"/],
    ['the head of a fork', { head: 'someone:main' }, /"field":"head","code":"invalid"/],
    ['an unknown base', { base: 'nowhere' }, /"field":"base","code":"invalid"/],
    ['no change', { head: 'main' }, /No commits between main and main/],
    ['no base', { base: undefined }, /Invalid request\.\\n\\n\\"base\\" wasn't supplied\./],
    ['a number for a title', { title: 7 }, /properties\/title/],
    ['words for a flag', { draft: 'yes' }, /properties\/draft/],
  ])('refuses %s', async (_, change, reason) => {
    const response = await post('/repos/acme/docs/pulls', { head, base: 'main', title: 'T', ...change })
    expect(response.status).toBe(422)
    expect(await response.text()).toMatch(reason)
  })

  it('refuses what is not JSON and queries that do not fit', async () => {
    expect((await post('/repos/acme/docs/pulls', '{"title":')).status).toBe(400)
    expect((await api('/repos/acme/docs/pulls?state=merged')).status).toBe(422)
    expect((await api('/repos/acme/docs/pulls/seven')).status).toBe(404)
    expect((await api('/repos/acme/docs/pulls/99999')).status).toBe(404)
  })

  it('refuses changes to an archived repository', async () => {
    t.host.archive('acme/docs', true)
    await expect(openPull()).rejects.toMatchObject({ status: 403, message: expect.stringMatching(/archived/) })
    expect((await t.octokit.rest.repos.get(docs)).data.archived).toBe(true)
    t.host.archive('acme/docs', false)
  })

  it('follows its branch while it is open and freezes when closed', async () => {
    const { data } = await openPull()
    const second = await t.pushBranch('acme/docs', head, { 'more.md': 'more\n' })
    const at = { ...docs, pull_number: data.number }
    expect((await t.octokit.rest.pulls.get(at)).data).toMatchObject({ commits: 2, head: { sha: second } })
    await t.octokit.rest.pulls.update({ ...at, state: 'closed' })
    await t.pushBranch('acme/docs', head, { 'more.md': 'even more\n' })
    const closed = (await t.octokit.rest.pulls.get(at)).data
    expect(closed).toMatchObject({ state: 'closed', merged: false, head: { sha: second } })
    expect(closed.closed_at).toMatch(/Z$/)
    const reopened = (await t.octokit.rest.pulls.update({ ...at, state: 'open', title: 'Again' })).data
    expect(reopened).toMatchObject({ state: 'open', title: 'Again', commits: 3, closed_at: null })
  })

  it('is closed when its branch is deleted and cannot be reopened then', async () => {
    const { data } = await openPull()
    await t.octokit.rest.git.deleteRef({ ...docs, ref: `heads/${head}` })
    const at = { ...docs, pull_number: data.number }
    expect((await t.octokit.rest.pulls.get(at)).data.state).toBe('closed')
    await expect(t.octokit.rest.pulls.update({ ...at, state: 'open' })).rejects.toMatchObject({ status: 422 })
  })

  it('is merged by a person, keeps its diff, and frees the branch name', async () => {
    const { data } = await openPull()
    await t.host.pushCommit('acme/docs', 'main', { files: new Map([['away.md', { data: `${serial}` }]]), message: 'x' })
    await t.host.closePull('acme/docs', data.number, { merge: true, deleteBranch: true })
    const at = { ...docs, pull_number: data.number }
    const merged = (await t.octokit.rest.pulls.get(at)).data
    expect(merged).toMatchObject({
      state: 'closed',
      merged: true,
      changed_files: 1,
      merged_by: { login: 'robin-marsh' },
    })
    expect(merged.merge_commit_sha).toBe(await t.host.git('acme/docs', 'rev-parse', 'main'))
    expect(await t.host.git('acme/docs', 'show', `main:topic/${serial}.md`)).toBe(`Topic ${serial}`)
    await expect(t.octokit.rest.pulls.update({ ...at, state: 'open' })).rejects.toMatchObject({ status: 422 })
  })

  it('lists its files with patches, renames included', async () => {
    await t.pushBranch('acme/docs', head, { 'guide/one.md': null, 'guide/first.md': 'one\ntwo\nthree\n' })
    const { data } = await openPull()
    const files = (await t.octokit.rest.pulls.listFiles({ ...docs, pull_number: data.number })).data
    expect(files).toMatchObject([
      { filename: 'guide/first.md', previous_filename: 'guide/one.md', status: 'renamed', changes: 0 },
      { filename: `topic/${serial}.md`, status: 'added', additions: 1, patch: `@@ -0,0 +1 @@\n+Topic ${serial}` },
    ])
  })

  it('takes reviewers, labels and comments', async () => {
    const { data } = await openPull()
    const at = { ...docs, pull_number: data.number }
    const asked = await t.octokit.rest.pulls.requestReviewers({ ...at, reviewers: ['ada', 'grace'] })
    expect(asked.data.requested_reviewers?.map((reviewer) => reviewer.login)).toEqual(['ada', 'grace'])
    const own = t.octokit.rest.pulls.requestReviewers({ ...at, reviewers: ['corrigenda-bot'] })
    await expect(own).rejects.toMatchObject({ status: 422 })
    const issue = { ...docs, issue_number: data.number }
    await t.octokit.rest.issues.addLabels({ ...issue, labels: ['docs'] })
    const labels = await t.octokit.rest.issues.addLabels({ ...issue, labels: ['docs', 'agent'] })
    expect(labels.data.map((label) => label.name)).toEqual(['docs', 'agent'])
    const comment = await t.octokit.rest.issues.createComment({ ...issue, body: 'Hello' })
    expect(comment.status).toBe(201)
    await expect(t.octokit.rest.issues.createComment({ ...issue, body: ' ' })).rejects.toMatchObject({ status: 422 })
    expect((await t.octokit.rest.issues.listComments(issue)).data).toMatchObject([{ body: 'Hello' }])
    const shown = (await t.octokit.rest.pulls.get(at)).data
    expect(shown).toMatchObject({ comments: 1, labels: [{ name: 'docs' }, { name: 'agent' }] })
    expect((await post(`/repos/acme/docs/issues/${data.number}/labels`, { labels: [] })).status).toBe(422)
  })
})

describe('checks', () => {
  it('reports check runs and the combined status of a ref', async () => {
    const sha = await t.host.git('acme/docs', 'rev-parse', head)
    const none = await t.octokit.rest.repos.getCombinedStatusForRef({ ...docs, ref: head })
    expect(none.data).toMatchObject({ state: 'pending', total_count: 0 })
    t.host.setStatus('acme/docs', { sha, context: 'ci/links', state: 'success', description: 'All good' })
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
    expect((await t.octokit.rest.checks.listForRef({ ...docs, ref: head, filter: 'all' })).data.total_count).toBe(2)
  })
})

describe('renamed repositories', () => {
  it('answers 301 to a GET and 307 to a write, with the id in the new address', async () => {
    await t.host.createRepository('acme/before', {
      commits: [{ message: 'S', files: new Map([['a', { data: 'a' }]]) }],
    })
    await t.host.pushCommit('acme/before', 'topic', { files: new Map([['b', { data: 'b' }]]), message: 'b' })
    const { id } = (await t.octokit.rest.repos.get({ owner: 'acme', repo: 'before' })).data
    await t.host.rename('acme/before', 'acme/after')
    const moved = await api('/repos/acme/before/pulls?state=all')
    expect(moved.status).toBe(301)
    expect(moved.headers.get('location')).toBe(`${t.host.apiUrl}/repositories/${id}/pulls?state=all`)
    const followed = await t.octokit.rest.repos.get({ owner: 'acme', repo: 'before' })
    expect(followed.data).toMatchObject({ id, full_name: 'acme/after' })
    const pull = { title: 'T', head: 'topic', base: 'main' }
    expect((await post('/repos/acme/before/pulls', pull)).status).toBe(307)
    const created = await t.octokit.rest.pulls.create({ owner: 'acme', repo: 'before', ...pull })
    expect(created.data.html_url).toBe(`${t.host.url}/acme/after/pull/1`)
  })
})

describe("GitHub's description", () => {
  const openapi = loadOpenapi()
  it('finds answers that it does not allow', () => {
    expect(openapi.findAnswerFault('git.getRef', 200, { ref: 'refs/heads/main' })).toMatch(/must have required/)
    expect(openapi.findAnswerFault('git.getRef', 299, {})).toMatch(/does not answer 299/)
    expect(openapi.findAnswerFault('git.deleteRef', 204, undefined)).toBeNull()
  })

  it('is what every route is there for, and nothing else', async () => {
    const served = new Set(t.host.requests.map((request) => request.op))
    expect([...openapi.operations.keys()].sort()).toEqual(
      expect.arrayContaining([...served].filter((op) => op.includes('.')).sort()),
    )
  })
})
