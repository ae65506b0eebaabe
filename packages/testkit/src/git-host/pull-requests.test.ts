import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

describe('comments and reviews', () => {
  const ada = { login: 'ada', type: 'User' } as const

  it('lists comments since a time, replies in a thread, and edits', async () => {
    const { data: pull } = await openPull()
    const at = { ...docs, pull_number: pull.number }
    const [thread = 0] = t.host.review('acme/docs', pull.number, {
      author: ada,
      state: 'CHANGES_REQUESTED',
      body: 'Change it.',
      lines: [{ path: `topic/${serial}.md`, line: 1, body: 'Typo.' }],
    })
    const reply = await t.octokit.rest.pulls.createReplyForReviewComment({ ...at, comment_id: thread, body: 'Done.' })
    expect(reply.data).toMatchObject({ in_reply_to_id: thread, line: 1, user: { login: 'corrigenda-bot' } })
    await t.octokit.rest.pulls.updateReviewComment({ ...docs, comment_id: reply.data.id, body: 'Done twice.' })
    const lines = await t.octokit.rest.pulls.listReviewComments(at)
    expect(lines.data.map(({ body }) => body)).toEqual(['Typo.', 'Done twice.'])
    const later = await t.octokit.rest.pulls.listReviewComments({ ...at, since: '2199-01-01T00:00:00Z' })
    expect(later.data).toEqual([])
    const { data: reviews } = await t.octokit.rest.pulls.listReviews(at)
    expect(reviews.map(({ state, body }) => [state, body])).toEqual([
      ['CHANGES_REQUESTED', 'Change it.'],
      ['COMMENTED', ''],
    ])
    expect(() => t.host.reply('acme/docs', pull.number, { thread: reply.data.id, body: 'x', author: ada })).toThrow()
  })

  it("does not show another user's pending review, and answers what a user may do", async () => {
    const { data: pull } = await openPull()
    const line = { path: `topic/${serial}.md`, line: 1, body: 'A draft.' }
    t.host.review('acme/docs', pull.number, { author: ada, state: 'PENDING', body: '', lines: [line] })
    const at = { ...docs, pull_number: pull.number }
    expect((await t.octokit.rest.pulls.listReviews(at)).data).toEqual([])
    expect((await t.octokit.rest.pulls.listReviewComments(at)).data).toEqual([])
    const level = async (username: string) =>
      (await t.octokit.rest.repos.getCollaboratorPermissionLevel({ ...docs, username })).data.permission
    t.host.addWriters('acme/docs', 'grace')
    expect([await level('corrigenda-bot'), await level('grace'), await level('ada')]).toEqual([
      'admin',
      'write',
      'none',
    ])
  })
})

describe('pull requests', () => {
  it('opens a pull request and returns it individually and in lists', async () => {
    const { data, status } = await openPull({ body: 'Why', draft: true })
    expect(status).toBe(201)
    expect(data).toMatchObject({ state: 'open', draft: true, body: 'Why', merged_at: null })
    expect(data.html_url).toBe(`${t.host.url}/acme/docs/pull/${data.number}`)
    expect(data.user).toMatchObject({ login: 'corrigenda-bot', type: 'User' })
    const again = await t.octokit.rest.pulls.get({ ...docs, pull_number: data.number })
    expect(again.data).toEqual(data)
    const found = await t.octokit.rest.pulls.list({ ...docs, state: 'all', head: `acme:${head}` })
    expect(found.data.map((pull) => pull.number)).toEqual([data.number])
    const elsewhere = await t.octokit.rest.pulls.list({ ...docs, head: `someone:${head}` })
    expect(elsewhere.data).toEqual([])
  })

  it('ignores a head filter without an owner', async () => {
    await openPull()
    const all = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 100 })
    const bare = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 100, head: 'no-such-branch' })
    expect(bare.data.length).toBe(all.data.length)
  })

  it('lists the newest pull requests first, in pages', async () => {
    await openPull()
    while (t.host.pulls('acme/docs').length < 5) {
      const branch = `page-${t.host.pulls('acme/docs').length}`
      await t.pushBranch('acme/docs', branch, { [branch]: 'x' })
      await t.octokit.rest.pulls.create({ ...docs, head: branch, base: 'main', title: branch })
    }
    const list = async (page: number) => {
      const { data } = await t.octokit.rest.pulls.list({ ...docs, state: 'all', per_page: 2, page })
      return data.map((pull) => pull.number)
    }
    const numbers = t.host.pulls('acme/docs').map((pull) => pull.number)
    expect([...(await list(1)), ...(await list(2))]).toEqual(numbers.toReversed().slice(0, 4))
  })

  it('rejects a second pull request for the same branch, even with concurrent requests', async () => {
    const results = await Promise.allSettled([openPull(), openPull(), openPull()])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const message = `A pull request already exists for acme:${head}.`
    const errors = [{ resource: 'PullRequest', code: 'custom', message }]
    await expect(openPull()).rejects.toMatchObject({ status: 422, response: { data: { errors } } })
    expect(t.host.stats().duplicates).toEqual({})
  })

  it('rejects invalid values with a reason', async () => {
    const cases: [what: string, change: object, reason: RegExp][] = [
      ['no title', { title: undefined }, /"title"|missing_field|Validation Failed/],
      ['a blank title', { title: ' ' }, /missing_field/],
      ['a long title', { title: 'x'.repeat(257) }, /title is too long \(maximum is 256 characters\)/],
      ['a long body', { body: 'x'.repeat(65_537) }, /body is too long \(maximum is 65536 characters\)/],
      ['an unknown head', { head: 'nowhere' }, /"field":"head","code":"invalid"/],
      ['a head in a fork', { head: 'someone:main' }, /"field":"head","code":"invalid"/],
      ['an unknown base', { base: 'nowhere' }, /"field":"base","code":"invalid"/],
      ['no change', { head: 'main' }, /No commits between main and main/],
      ['no base', { base: undefined }, /Invalid request\.\\n\\n\\"base\\" wasn't supplied\./],
      ['a number for a title', { title: 7 }, /properties\/title/],
      ['a string for a boolean', { draft: 'yes' }, /properties\/draft/],
    ]
    for (const [what, change, reason] of cases) {
      const response = await post('/repos/acme/docs/pulls', { head, base: 'main', title: 'T', ...change })
      expect([response.status, await response.text()], what).toEqual([422, expect.stringMatching(reason)])
    }
  })

  it('rejects invalid JSON and invalid queries', async () => {
    expect((await post('/repos/acme/docs/pulls', '{"title":')).status).toBe(400)
    expect((await api('/repos/acme/docs/pulls?state=merged')).status).toBe(422)
    expect((await api('/repos/acme/docs/pulls?sort=updated')).status).toBe(422)
    expect((await api('/repos/acme/docs/pulls/seven')).status).toBe(404)
    expect((await api('/repos/acme/docs/pulls/99999')).status).toBe(404)
  })

  it('rejects changes to an archived repository', async () => {
    t.host.archive('acme/docs', true)
    await expect(openPull()).rejects.toMatchObject({ status: 403, message: expect.stringMatching(/archived/) })
    expect((await t.octokit.rest.repos.get(docs)).data.archived).toBe(true)
    t.host.archive('acme/docs', false)
  })

  it('updates an open pull request when its branch changes, but not a closed one', async () => {
    const { data } = await openPull()
    const second = await t.pushBranch('acme/docs', head, { 'more.md': 'more\n' })
    const at = { ...docs, pull_number: data.number }
    expect((await t.octokit.rest.pulls.get(at)).data).toMatchObject({ state: 'open', head: { sha: second } })
    await t.host.closePull('acme/docs', data.number)
    await t.pushBranch('acme/docs', head, { 'more.md': 'even more\n' })
    const closed = (await t.octokit.rest.pulls.get(at)).data
    expect(closed).toMatchObject({ state: 'closed', merged_at: null, head: { sha: second } })
  })

  it('closes a pull request when its branch is deleted', async () => {
    const { data } = await openPull()
    await t.host.git('acme/docs', 'update-ref', '-d', `refs/heads/${head}`)
    expect((await t.octokit.rest.pulls.get({ ...docs, pull_number: data.number })).data.state).toBe('closed')
  })

  it('changes only the body of a pull request', async () => {
    const { data } = await openPull()
    const at = { ...docs, pull_number: data.number }
    expect((await t.octokit.rest.pulls.update({ ...at, body: 'Because' })).data.body).toBe('Because')
    await expect(t.octokit.rest.pulls.update({ ...at, state: 'closed' })).rejects.toMatchObject({ status: 422 })
    expect(t.host.pulls('acme/docs').at(-1)).toMatchObject({ state: 'open', body: 'Because' })
  })

  it('merges a pull request and keeps its commits', async () => {
    const { data } = await openPull()
    await t.host.pushCommit('acme/docs', 'main', { files: new Map([['away.md', { data: `${serial}` }]]), message: 'x' })
    await t.host.closePull('acme/docs', data.number, { merge: true, deleteBranch: true })
    const at = { ...docs, pull_number: data.number }
    expect((await t.octokit.rest.pulls.get(at)).data.merged_at).toMatch(/Z$/)
    expect((await t.octokit.rest.pulls.listCommits(at)).data).toHaveLength(1)
    expect(await t.host.git('acme/docs', 'show', `main:topic/${serial}.md`)).toBe(`Topic ${serial}`)
    await expect(t.host.git('acme/docs', 'rev-parse', '--verify', head)).rejects.toThrow()
  })

  it("lists a pull request's commits in pages, oldest first", async () => {
    const first = await t.host.git('acme/docs', 'rev-parse', head)
    const rest = [await t.pushBranch('acme/docs', head, { a: 'a' }), await t.pushBranch('acme/docs', head, { b: 'b' })]
    const { data } = await openPull()
    const at = { ...docs, pull_number: data.number }
    const { data: commits } = await t.octokit.rest.pulls.listCommits(at)
    expect(commits.map((one) => one.sha)).toEqual([first, ...rest])
    expect(commits[1]).toMatchObject({ commit: { message: head }, parents: [{ sha: first }] })
    const page = await t.octokit.rest.pulls.listCommits({ ...at, per_page: 2 })
    expect(page.data.map((one) => one.sha)).toEqual([first, rest[0]])
    const second = await t.octokit.rest.pulls.listCommits({ ...at, per_page: 2, page: 2 })
    expect(second.data.map((one) => one.sha)).toEqual([rest[1]])
    expect(t.host.requests.at(-1)).toMatchObject({ op: 'pulls.listCommits', status: 200 })
    const missing = t.octokit.rest.pulls.listCommits({ ...docs, pull_number: 99_999 })
    await expect(missing).rejects.toMatchObject({ status: 404 })
  })

  it('lists only the first 250 commits', async () => {
    const dir = join(t.host.root, 'acme', 'docs.git')
    const ref = `refs/heads/${head}`
    const who = 'Test <test@example.com> 1800000000 +0000'
    const one = (i: number) =>
      `commit ${ref}\ncommitter ${who}\ndata <<.\n${i}\n.\n${i === 2 ? `from ${ref}^0\n` : ''}\n`
    const input = Array.from({ length: 251 }, (_, i) => one(i + 2)).join('')
    execFileSync('git', ['fast-import', '--quiet'], { cwd: dir, input })
    const { data } = await openPull()
    const at = { ...docs, pull_number: data.number, per_page: 100 }
    const pages = [1, 2, 3].map((page) => t.octokit.rest.pulls.listCommits({ ...at, page }))
    const commits = (await Promise.all(pages)).flatMap((page) => page.data)
    expect(commits).toHaveLength(250)
    expect(commits.at(-1)?.commit.message).toBe('250')
  })

  it('accepts reviewers, labels and comments', async () => {
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
    expect(shown).toMatchObject({ labels: [{ name: 'docs' }, { name: 'agent' }] })
    expect((await post(`/repos/acme/docs/issues/${data.number}/labels`, { labels: [] })).status).toBe(422)
  })
})

describe('merging', () => {
  it('rejects a merge with conflicts', async () => {
    await t.pushBranch('acme/docs', head, { 'guide/two.md': `ours ${serial}\n` })
    const { data } = await openPull()
    await t.pushBranch('acme/docs', 'main', { 'guide/two.md': `theirs ${serial}\n` })
    await expect(t.host.closePull('acme/docs', data.number, { merge: true })).rejects.toThrow(/merge-tree/)
    expect((await t.octokit.rest.pulls.get({ ...docs, pull_number: data.number })).data.state).toBe('open')
  })

  it('closes the pull request as merged when its changes are pushed to the base branch', async () => {
    const { data } = await openPull()
    await t.host.git('acme/docs', 'update-ref', 'refs/heads/main', data.head.sha)
    const after = await t.octokit.rest.pulls.get({ ...docs, pull_number: data.number })
    expect(after.data).toMatchObject({ state: 'closed', merged_at: expect.any(String) })
  })
})
