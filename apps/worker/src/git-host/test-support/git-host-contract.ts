import type { RepositoryAddress } from '@corrigenda/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../credentials.ts'
import type { GitHost, ListCommitsInput, OpenGitHostInput } from '../git-host.ts'
import type { ContractHarness } from './contract-harness.ts'

const PULL = { branch: 'topic', base: 'main', title: 'A change', body: 'Why.', draft: false }

/** Registers the contract tests that every adapter must pass. */
export function testGitHostContract(name: string, openHarness: () => Promise<ContractHarness>): void {
  describe(`the Git host contract: ${name}`, () => {
    let harness: ContractHarness
    const opened: GitHost[] = []
    beforeAll(async () => {
      harness = await openHarness()
    })
    afterAll(async () => {
      for (const gitHost of opened) gitHost[Symbol.dispose]()
      await harness.close()
    })

    const open = async (
      repository: RepositoryAddress,
      kind: Parameters<ContractHarness['buildCredentials']>[0] = 'all',
      some: Partial<OpenGitHostInput> = {},
    ): Promise<GitHost> => {
      const access: Access = 'publish'
      const signal = new AbortController().signal
      const credentials = harness.buildCredentials(kind)
      const gitHost = await harness.adapter.openGitHost({ credentials, repository, access, signal, ...some })
      opened.push(gitHost)
      return gitHost
    }
    const prepare = async () => {
      const repository = await harness.createRepository()
      const commit = await harness.pushCommit(repository, PULL.branch)
      return { repository, commit, gitHost: await open(repository) }
    }

    test('finds a pull request only after it is created', async () => {
      const { repository, commit, gitHost } = await prepare()
      expect(await gitHost.listPullRequests({ branch: PULL.branch })).toEqual([])
      const created = await gitHost.createPullRequest(PULL)
      expect(created).toEqual({
        number: expect.any(Number),
        url: expect.stringContaining(repository.url),
        state: 'open',
        draft: false,
        headSha: commit,
        updatedAt: expect.any(Date),
        body: 'Why.',
        author: expect.any(String),
        hasLabels: false,
        hasReviewers: false,
      })
      expect(await gitHost.listPullRequests({ branch: PULL.branch })).toEqual([created])
      expect(await gitHost.findPullRequest({ number: created.number, branch: PULL.branch })).toEqual(created)
      expect(await gitHost.findPullRequest({ number: created.number, branch: 'other' })).toBeNull()
      expect(await gitHost.listPullRequests({ branch: 'other' })).toEqual([])
      await expect(gitHost.findPullRequest({ number: 4711, branch: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('returns the reason when the host rejects a pull request', async () => {
      const { repository, gitHost } = await prepare()
      await gitHost.createPullRequest(PULL)
      const refusal = (problem: string) => ({
        name: 'GitHostError',
        code: 'validation',
        problem,
        isOutcomeUnknown: false,
      })
      const create = (some: Partial<typeof PULL>) => gitHost.createPullRequest({ ...PULL, ...some })
      await expect(create({})).rejects.toMatchObject(refusal('already_exists'))
      await expect(create({ branch: 'absent' })).rejects.toMatchObject(refusal('unknown_head'))
      await expect(create({ base: 'absent' })).rejects.toMatchObject(refusal('unknown_base'))
      await expect(create({ base: PULL.branch })).rejects.toMatchObject(refusal('no_commits'))
      expect(harness.countPullRequests(repository)).toBe(1)
    })

    test('sets the body, labels and reviewers of a pull request', async () => {
      const { repository, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest({ ...PULL, draft: true })
      await gitHost.updatePullRequest({ number, body: 'Another body.' })
      await gitHost.addLabels({ number, labels: ['docs', 'corrigenda'] })
      const both = { number, reviewers: [harness.reviewer, harness.strangers] }
      await expect(gitHost.requestReviewers(both)).rejects.toMatchObject({ code: 'validation' })
      expect(harness.readPullRequest(repository, number).reviewers).toEqual([])
      await gitHost.requestReviewers({ number, reviewers: [harness.reviewer] })
      expect(harness.readPullRequest(repository, number)).toEqual({
        title: PULL.title,
        labels: ['docs', 'corrigenda'],
        reviewers: [harness.reviewer],
      })
      expect(await gitHost.findPullRequest({ number, branch: PULL.branch })).toMatchObject({
        body: 'Another body.',
        draft: true,
        hasLabels: true,
        hasReviewers: true,
      })
    })

    test.each([
      ['merge', 'merged'],
      ['close', 'closed'],
    ] as const)('reads the final state of a pull request: %s', async (how, state) => {
      const { repository, commit, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest(PULL)
      await harness.endPullRequest(repository, number, how)
      expect(await gitHost.findPullRequest({ number, branch: PULL.branch })).toMatchObject({ state, headSha: commit })
      expect(await gitHost.listPullRequests({ branch: PULL.branch })).toMatchObject([{ number, state }])
    })

    test('reads comments and reviews, and answers once in each thread', async () => {
      const { repository, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest(PULL)
      const writer = harness.addUser(repository, true)
      const reader = harness.addUser(repository, false)
      const may = (login: string) => gitHost.mayWrite({ login })
      expect([await may(writer.login), await may(reader.login), await may('stranger')]).toEqual([true, false, false])
      expect(await gitHost.listRemarks({ number, since: null })).toEqual([])
      reader.comment(number, 'Hello.')
      writer.review(number, { body: 'Please change this.', path: 'index.md', line: 1, comment: 'A typo.' })
      const list = () => gitHost.listRemarks({ number, since: null })
      const said = await list()
      const line = said.find(({ body }) => body === 'A typo.')
      const review = said.find(({ body }) => body === 'Please change this.')
      expect(said).toHaveLength(3)
      expect(said.find(({ body }) => body === 'Hello.')).toMatchObject({
        author: reader.login,
        isBot: false,
        thread: null,
        requestsChanges: false,
      })
      const { hasReviews } = harness
      expect(review).toMatchObject({ author: writer.login, thread: null, requestsChanges: hasReviews })
      const ofReview = hasReviews ? review?.id : null
      expect(line).toMatchObject({ path: 'index.md', line: 1, review: ofReview, thread: expect.any(String) })
      const inAnHour = new Date(Date.now() + 3_600_000)
      expect(await gitHost.listRemarks({ number, since: inAnHour })).toEqual([])
      for (const thread of [null, line?.thread ?? '']) {
        await gitHost.answerRemark({ number, thread, previous: null, body: 'First.' })
        const answers = async () =>
          (await list()).filter((one) => one.thread === thread && /First|Second/.test(one.body))
        const [answer] = await answers()
        await gitHost.answerRemark({ number, thread, previous: answer?.id ?? '', body: 'Second.' })
        expect(await answers()).toMatchObject([{ id: answer?.id, body: 'Second.' }])
      }
    })

    test('detects whether a commit is part of a pull request', async () => {
      const { repository, commit, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest(PULL)
      const later = await harness.pushCommit(repository, PULL.branch)
      const absent = '0123456789'.repeat(4)
      const has = (one: string) => gitHost.hasCommit({ number, commit: one })
      expect([await has(commit), await has(later), await has(absent)]).toEqual([true, true, false])
    })

    test('finds a renamed repository under its old URL', async () => {
      const { repository, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest(PULL)
      const path = await harness.rename(repository)
      for (const client of [gitHost, await open(repository)]) {
        expect(await client.listPullRequests({ branch: PULL.branch })).toMatchObject([{ number }])
        expect(await client.findPullRequest({ number, branch: PULL.branch })).toMatchObject({ number })
        expect(await client.getRepository()).toMatchObject({ path })
      }
    })

    test("combines a commit's checks: none, pending, passed, failed", async () => {
      const { repository, commit, gitHost } = await prepare()
      const seen = [await gitHost.findChecks({ commit })]
      for (const state of ['pending', 'passed', 'failed'] as const) {
        harness.reportCheck(repository, commit, state)
        seen.push(await gitHost.findChecks({ commit }))
      }
      expect(seen).toEqual([null, 'pending', 'passed', 'failed'])
      const seenByReader = harness.alsoReads.includes('read_checks') ? 'failed' : null
      expect(await (await open(repository, 'read')).findChecks({ commit })).toBe(seenByReader)
    })

    test('reads the repository, its branches and the difference between two commits', async () => {
      const { repository, commit, gitHost } = await prepare()
      const facts = { path: repository.path, defaultBranch: 'main', isArchived: false, isPrivate: true, mayPush: true }
      expect(await gitHost.getRepository()).toEqual(facts)
      const main = await gitHost.getBranch({ branch: 'main' })
      const identity = { name: expect.any(String), email: expect.stringContaining('@') }
      expect(await gitHost.getBranch({ branch: PULL.branch })).toEqual({
        commit,
        message: expect.any(String),
        parents: [main.commit],
        author: identity,
        committer: identity,
      })
      await expect(gitHost.getBranch({ branch: 'absent' })).rejects.toMatchObject({ code: 'not_found' })
      const onMain = await harness.pushCommit(repository, 'main')
      const compared = await gitHost.compareCommits({ base: 'main', head: commit })
      expect(compared).toMatchObject({ mergeBase: main.commit, removed: [] })
      expect([...compared.added, ...compared.modified]).toHaveLength(1)
      expect(compared).toMatchObject({
        totalCommits: 1,
        hasMoreFiles: false,
        commits: [{ id: commit, firstParent: main.commit }],
      })
      const none = { added: [], modified: [], removed: [], hasMoreFiles: false, commits: [], totalCommits: 0 }
      const nothing = { mergeBase: onMain, ...none }
      expect(await gitHost.compareCommits({ base: onMain, head: onMain })).toEqual(nothing)
      harness.archive(repository)
      expect(await gitHost.getRepository()).toMatchObject({ isArchived: true })
      await expect(gitHost.createPullRequest(PULL)).rejects.toMatchObject({ code: 'archived' })
    })

    test('lists the files of a commit', async () => {
      const { repository, gitHost } = await prepare()
      const { commit } = await gitHost.getBranch({ branch: 'main' })
      const { paths, hasMore } = await gitHost.listFiles({ commit })
      expect([[...paths].sort(), hasMore]).toEqual([[harness.workflow.path, 'index.md'].sort(), false])
      const later = await harness.pushCommit(repository, 'main')
      expect((await gitHost.listFiles({ commit: later })).paths).toHaveLength(3)
      await expect(gitHost.listFiles({ commit: '0123456789'.repeat(4) })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('lists commits from a branch, a tag or a commit, and between two times', async () => {
      const { repository, commit, gitHost } = await prepare()
      const ids = async (input: Omit<ListCommitsInput, 'limit'>, limit = 100) =>
        (await gitHost.listCommits({ ...input, limit })).map(({ id }) => id)
      const [tip, root] = await gitHost.listCommits({ ref: PULL.branch, limit: 100 })
      expect([tip, root]).toMatchObject([
        { id: commit, firstParent: root?.id, message: expect.any(String) },
        { firstParent: null },
      ])
      await harness.tag(repository, 'v1.0/final', commit)
      for (const ref of [commit, 'v1.0/final']) expect(await ids({ ref })).toEqual([commit, root?.id])
      expect(await ids({ ref: commit }, 1)).toEqual([commit])
      expect(await ids({})).toEqual([root?.id])
      const minuteAgo = new Date(Date.now() - 60_000)
      expect(await ids({ ref: commit, since: minuteAgo })).toEqual([commit])
      expect(await ids({ ref: commit, until: minuteAgo })).toEqual([root?.id])
      await expect(ids({ ref: 'absent' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('reads the commits of a pull request', async () => {
      const { repository, commit, gitHost } = await prepare()
      const { number } = await gitHost.createPullRequest(PULL)
      const base = await harness.pushCommit(repository, 'main')
      const reader = await open(repository, 'all', { access: 'read_pulls' })
      expect(await reader.getPullRequestRange({ number })).toEqual({
        title: PULL.title,
        baseBranch: 'main',
        baseCommit: expect.any(String),
        headCommit: commit,
        fork: null,
      })
      await harness.endPullRequest(repository, number, 'merge')
      expect(await reader.getPullRequestRange({ number })).toMatchObject({ headCommit: commit })
      expect(base).not.toBe(commit)
      await expect(reader.getPullRequestRange({ number: 4711 })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('tests access without changing anything and reports missing permissions', async () => {
      const { repository, commit, gitHost } = await prepare()
      const tests = [
        { to: 'open_pull_requests', base: 'main' },
        { to: 'read_pull_requests' },
        { to: 'read_statuses', commit },
        { to: 'read_checks', commit },
        { to: 'start_workflow', workflow: harness.workflow.name },
      ] as const
      const reader = await open(repository, 'read')
      for (const one of tests) {
        expect([one.to, await gitHost.testAccess(one)]).toEqual([one.to, 'granted'])
        const expected = harness.alsoReads.includes(one.to) ? 'granted' : 'refused'
        expect([one.to, await reader.testAccess(one)]).toEqual([one.to, expected])
      }
      expect(await gitHost.testAccess({ to: 'start_workflow', workflow: 'absent.yml' })).toBe('missing')
      const stranger = await open(repository, 'elsewhere')
      expect(await stranger.testAccess({ to: 'open_pull_requests', base: 'main' })).toBe('missing')
      expect([harness.countPullRequests(repository), harness.countRuns(repository)]).toEqual([0, 0])
    })

    test('returns distinct errors for insufficient and invalid credentials', async () => {
      const { repository } = await prepare()
      const reader = await open(repository, 'read')
      await expect(reader.createPullRequest(PULL)).rejects.toMatchObject({ code: 'forbidden' })
      const stranger = await open(repository, 'elsewhere')
      await expect(stranger.getRepository()).rejects.toMatchObject({ code: 'not_found' })
      const wrong = await open(repository, 'wrong')
      await expect(wrong.getRepository()).rejects.toMatchObject({ code: 'unauthorized' })
      expect(harness.countPullRequests(repository)).toBe(0)
    })

    test('runs the guard only around writes and does not send a write that the guard rejects', async () => {
      const { repository, commit } = await prepare()
      const writes: boolean[] = []
      let isOpen = true
      const gitHost = await open(repository, 'all', {
        guard: ({ opensPullRequest }, send) => {
          writes.push(opensPullRequest)
          if (!isOpen) throw new Error('The guard rejected the write.')
          return send()
        },
      })
      await gitHost.findChecks({ commit })
      expect(await gitHost.listPullRequests({ branch: PULL.branch })).toEqual([])
      expect(writes).toEqual([])
      const { number } = await gitHost.createPullRequest(PULL)
      await gitHost.updatePullRequest({ number, body: 'Changed.' })
      expect(writes).toEqual([true, false])
      isOpen = false
      await expect(gitHost.addLabels({ number, labels: ['docs'] })).rejects.toThrow()
      expect(harness.readPullRequest(repository, number).labels).toEqual([])
    })

    test('aborts calls when their signal aborts and when the client is closed', async () => {
      const { repository, gitHost } = await prepare()
      const aborted = { code: 'aborted' }
      await expect(gitHost.getRepository({ signal: AbortSignal.abort() })).rejects.toMatchObject(aborted)
      const stop = new AbortController()
      const stopped = await open(repository, 'all', { signal: stop.signal })
      stop.abort()
      await expect(stopped.getRepository()).rejects.toMatchObject(aborted)
      gitHost[Symbol.dispose]()
      gitHost[Symbol.dispose]()
      await expect(gitHost.getRepository()).rejects.toMatchObject(aborted)
    })

    test('starts, lists and reads a workflow run', async () => {
      const { gitHost } = await prepare()
      const { workflows } = gitHost
      const { name: workflow, hasEvents } = harness.workflow
      const startedBy = { workflow }
      expect((await workflows.findFile({ workflow, ref: 'main' }))?.toString()).toContain('workflow_dispatch')
      await expect(workflows.findFile({ workflow: 'absent.yml', ref: 'main' })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect(await workflows.listRuns({ startedBy })).toEqual([])
      await workflows.start({ workflow, ref: 'main', inputs: {} })
      await expect.poll(() => workflows.listRuns({ startedBy })).toHaveLength(1)
      const [run] = await workflows.listRuns({ startedBy })
      expect(run).toMatchObject({ headBranch: 'main', url: expect.stringContaining('http') })
      expect(await workflows.getRun({ id: run?.id ?? 0 })).toMatchObject({ id: run?.id })
      await expect(workflows.getRun({ id: 4711 })).rejects.toMatchObject({ code: 'not_found' })
      const event = { type: 'publish', payload: { corrigenda: { statusId: 'x' } } }
      if (!hasEvents) {
        await expect(workflows.sendEvent(event)).rejects.toMatchObject({ code: 'validation' })
        return
      }
      await workflows.sendEvent(event)
      await expect.poll(() => workflows.listRuns({ startedBy: 'event' })).toHaveLength(1)
    })
  })
}
