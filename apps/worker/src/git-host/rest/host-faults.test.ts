import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Forgejo, GitLab } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Credentials } from '../credentials.ts'
import type { GitHostErrorCode } from '../git-host-error.ts'
import { openHarness } from '../test-support/open-harness.ts'

const PULL = { branch: 'topic', base: 'main', title: 'A change', body: 'Why.', draft: false }
const TEXT = { 'content-type': 'text/plain' }

const KINDS = [
  { kind: 'gitlab', create: 'gitlab.createMergeRequest', list: 'gitlab.listMergeRequests' },
  { kind: 'forgejo', create: 'forgejo.createPullRequest', list: 'forgejo.listPullRequests' },
  { kind: 'gitea', create: 'forgejo.createPullRequest', list: 'forgejo.listPullRequests' },
] as const

describe.each(KINDS)('faults of $kind', ({ kind, create, list }) => {
  let harness: Awaited<ReturnType<typeof openHarness>>
  beforeAll(async () => {
    harness = await openHarness(kind)
  })
  afterAll(() => harness.close())

  const open = (repository: RepositoryAddress, credentials: Credentials = harness.buildCredentials('all')) =>
    harness.adapter.openGitHost({ credentials, repository, access: 'publish', signal: new AbortController().signal })
  const prepare = async () => {
    const repository = await harness.createRepository()
    const commit = await harness.pushCommit(repository, 'topic')
    return { repository, commit, gitHost: await open(repository) }
  }
  const fails = (work: Promise<unknown>, code: GitHostErrorCode, message = '') =>
    expect(work).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  const switchOff = (path: string) =>
    kind === 'gitlab'
      ? (harness.host as GitLab).setMergeRequests(path, false)
      : (harness.host as Forgejo).setPullRequests(path, false)

  test('a second pull request of a branch is a duplicate by its status, in any language', async () => {
    const { gitHost } = await prepare()
    await gitHost.createPullRequest(PULL)
    await expect(gitHost.createPullRequest(PULL)).rejects.toMatchObject({
      code: 'validation',
      problem: 'already_exists',
      status: 409,
    })
  })

  test.each(['apply-then-reset', 'apply-then-status'] as const)(
    'the creation is sent once if its outcome is unknown: %s',
    async (fault) => {
      const { repository, gitHost } = await prepare()
      harness.host.fault({ op: create, kind: fault })
      await expect(gitHost.createPullRequest(PULL)).rejects.toMatchObject({ isOutcomeUnknown: true })
      expect(harness.countPullRequests(repository)).toBe(1)
      expect(await gitHost.listPullRequests({ branch: PULL.branch })).toHaveLength(1)
    },
  )

  test('reads are repeated after an outage', async () => {
    const { gitHost } = await prepare()
    harness.host.fault({ op: list, kind: 'status', times: 3 })
    expect(await gitHost.listPullRequests({ branch: PULL.branch })).toEqual([])
    harness.host.fault({ op: list, kind: 'status', times: 4 })
    await fails(gitHost.listPullRequests({ branch: PULL.branch }), 'server_error')
  })

  test('a rate limit in plain text is waited for, also before a creation', async () => {
    const { repository, gitHost } = await prepare()
    const limit = {
      kind: 'status',
      status: 429,
      page: 'Retry later\n',
      headers: { ...TEXT, 'retry-after': '0' },
    } as const
    harness.host.fault({ op: create, ...limit })
    harness.host.fault({ op: list, ...limit })
    await gitHost.listPullRequests({ branch: PULL.branch })
    await gitHost.createPullRequest(PULL)
    expect(harness.countPullRequests(repository)).toBe(1)
    harness.host.fault({ op: list, ...limit, headers: { ...TEXT, 'retry-after': '120' } })
    await expect(gitHost.listPullRequests({ branch: PULL.branch })).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 120_000,
    })
  })

  test('a page of a proxy is not an answer of the host', async () => {
    const { gitHost } = await prepare()
    harness.host.fault({ op: list, kind: 'status', status: 404, page: '<html>' })
    await fails(gitHost.listPullRequests({ branch: PULL.branch }), 'server_error', 'GIT_HOSTS')
    harness.host.fault({ op: list, kind: 'status', status: 200, page: '<html>' })
    await fails(gitHost.listPullRequests({ branch: PULL.branch }), 'server_error', 'GIT_HOSTS')
  })

  test('a missing permission, a rejected token and an archived repository have their own errors', async () => {
    const { repository, gitHost } = await prepare()
    await fails(
      (await open(repository, harness.buildCredentials('read'))).createPullRequest(PULL),
      'forbidden',
      'scope',
    )
    await fails((await open(repository, harness.buildCredentials('wrong'))).getRepository(), 'unauthorized', 'expired')
    harness.archive(repository)
    await fails(gitHost.createPullRequest(PULL), 'archived')
  })

  test('the error says that pull requests are switched off', async () => {
    const { repository, gitHost } = await prepare()
    switchOff(repository.path)
    await fails(gitHost.listPullRequests({ branch: PULL.branch }), 'forbidden', 'switched off')
    await fails(gitHost.createPullRequest(PULL), 'forbidden', 'switched off')
  })

  test('a repository that was renamed after the push gets its pull request', async () => {
    const { repository } = await prepare()
    await harness.rename(repository)
    const { number, url } = await (await open(repository)).createPullRequest(PULL)
    expect([number, url]).toEqual([1, expect.stringContaining('-renamed/')])
  })

  test('finds the pull request of a branch among more than a page of others', async () => {
    const { repository, gitHost } = await prepare()
    const { number } = await gitHost.createPullRequest(PULL)
    const pulls = harness.host.state.records.get(repository.path)?.pulls ?? []
    const [own] = pulls
    if (own === undefined) throw new Error('no pull request')
    for (let other = 2; other <= 130; other += 1) {
      pulls.push({ ...own, number: other, headRef: kind === 'gitlab' ? 'topic' : `other-${other}`, state: 'closed' })
    }
    const found = await gitHost.listPullRequests({ branch: PULL.branch })
    if (kind === 'gitlab') expect(found).toHaveLength(100)
    else expect(found).toMatchObject([{ number }])
  })

  test('ignores a fork with the same branch, also after it was deleted', async () => {
    const { repository, gitHost } = await prepare()
    const { number } = await gitHost.createPullRequest(PULL)
    await harness.host.moveToFork(repository.path, number, kind === 'gitlab' ? 'mallory/docs' : '')
    expect(await gitHost.listPullRequests({ branch: PULL.branch })).toEqual([])
    expect(await gitHost.findPullRequest({ number, branch: PULL.branch })).toBeNull()
    expect(await gitHost.getPullRequestRange({ number })).toMatchObject({ fork: { path: null } })
  })

  test('a draft remains a draft when its body changes', async () => {
    const { gitHost } = await prepare()
    const { number } = await gitHost.createPullRequest({ ...PULL, draft: true, title: 'x'.repeat(300) })
    await gitHost.updatePullRequest({ number, body: 'New.' })
    expect(await gitHost.findPullRequest({ number, branch: PULL.branch })).toMatchObject({ draft: true, body: 'New.' })
  })

  test('sends a token only to the origin of the host', async () => {
    const { gitHost } = await prepare()
    const headers = { location: 'https://elsewhere.invalid/' }
    harness.host.fault({ op: list, kind: 'status', status: 302, page: '', headers })
    await fails(gitHost.listPullRequests({ branch: PULL.branch }), 'redirected', 'elsewhere.invalid')
  })
})

describe('only GitLab', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>
  beforeAll(async () => {
    harness = await openHarness('gitlab')
  })
  afterAll(() => harness.close())
  const open = async () => {
    const repository = await harness.createRepository()
    const commit = await harness.pushCommit(repository, 'topic')
    const { signal } = new AbortController()
    const credentials = harness.buildCredentials('all')
    const gitHost = await harness.adapter.openGitHost({ credentials, repository, access: 'publish', signal })
    return { repository, commit, gitHost, gitlab: harness.host as GitLab }
  }

  test('a merge request that is not prepared has its head and its range', async () => {
    const { commit, gitHost, gitlab } = await open()
    gitlab.setPreparation(100)
    const { number, headSha } = await gitHost.createPullRequest(PULL)
    expect(headSha).toBe(commit)
    expect(await gitHost.getPullRequestRange({ number })).toMatchObject({
      headCommit: commit,
      baseCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    gitlab.setPreparation(0)
  })

  test('a branch that is visible late is reported as such', async () => {
    const { gitHost, gitlab } = await open()
    gitlab.hideBranches(1)
    await expect(gitHost.createPullRequest(PULL)).rejects.toMatchObject({ problem: 'unknown_head' })
    expect(await gitHost.createPullRequest(PULL)).toMatchObject({ number: 1 })
  })

  test('reads the pipeline of the merged result', async () => {
    const { repository, commit, gitHost, gitlab } = await open()
    await gitHost.createPullRequest(PULL)
    expect(await gitHost.findChecks({ commit })).toBeNull()
    gitlab.setMergedResult(repository.path, commit, 'failed')
    expect(await gitHost.findChecks({ commit })).toBe('failed')
  })

  test('adds reviewers to those that are there', async () => {
    const { repository, gitHost } = await open()
    const { number } = await gitHost.createPullRequest(PULL)
    await gitHost.requestReviewers({ number, reviewers: ['ada'] })
    // This edition keeps one reviewer.
    await gitHost.requestReviewers({ number, reviewers: ['grace'] })
    expect(harness.readPullRequest(repository, number).reviewers).toEqual(['ada'])
    await expect(gitHost.addLabels({ number, labels: ['a,b'] })).rejects.toMatchObject({ code: 'validation' })
  })

  test("uses the commit address of the token's user", async () => {
    const { repository } = await open()
    const { signal } = new AbortController()
    const identity = await harness.buildCredentials('all').findIdentity({ repository, signal })
    expect(identity).toEqual({ name: 'corrigenda-bot', email: 'commit-corrigenda-bot@users.example.com' })
    expect(await harness.buildCredentials('wrong').findIdentity({ repository, signal })).toBeNull()
  })
})
