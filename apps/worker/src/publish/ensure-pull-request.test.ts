import type { GitHost } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { file, openHost, type PrepareArguments, prepareJob } from './test-support/prepare-job.ts'

let host: GitHost
let close: () => Promise<void>
beforeAll(async () => {
  ;({ host, close } = await openHost())
})
afterAll(() => close())

const prepare = (...[some, settings]: PrepareArguments) => prepareJob(host, some, settings)

describe('creating', () => {
  test('opens a pull request with its labels and finds it in later calls', async () => {
    const { full, input, count, ensure } = await prepare({ labels: ['docs', 'corrigenda'], draft: true })
    const first = await ensure()
    expect(first).toEqual({
      kind: 'ready',
      number: 1,
      url: `${host.repositoryUrl(full)}/pull/1`,
      state: 'open',
      draft: true,
      headSha: input.expectedHead,
      created: true,
    })
    expect(host.pulls(full)).toMatchObject([
      { title: input.title, body: input.body, headRef: input.branch, baseRef: 'main', labels: ['docs', 'corrigenda'] },
    ])
    expect(await ensure()).toEqual({ ...first, created: false })
    expect(count('pulls.create')).toBe(1)
    expect(count('issues.addLabels')).toBe(1)
  })

  test('opens one pull request for concurrent calls', async () => {
    const { full, ensure } = await prepare()
    const results = await Promise.all(Array.from({ length: 8 }, () => ensure()))
    expect(new Set(results.map((one) => one.kind === 'ready' && one.number))).toEqual(new Set([1]))
    expect(results.filter((one) => one.kind === 'ready' && one.created)).toHaveLength(1)
    expect(host.pulls(full)).toHaveLength(1)
  })

  test('keeps the pull request when adding labels fails and adds them in the next call', async () => {
    const { full, ensure, input, lines } = await prepare({ labels: ['docs'] })
    host.fault({ op: 'issues.addLabels', kind: 'status', status: 403, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', created: true })
    expect(host.pulls(full)).toMatchObject([{ labels: [] }])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', jobId: input.jobId, number: 1, reason: 'forbidden', msg: 'labels not added to a pull request' },
    ])
    expect(await ensure()).toMatchObject({ kind: 'ready', created: false })
    expect(host.pulls(full)).toMatchObject([{ labels: ['docs'] }])
  })

  test('requests at most 15 reviews, none from the author, one at a time if the host rejects the list', async () => {
    const ask = async (reviewers: string[]) => {
      const { full, count, ensure, lines } = await prepare({ reviewers })
      expect(await ensure()).toMatchObject({ kind: 'ready', created: true })
      const requests = count('pulls.requestReviewers')
      return { asked: host.pulls(full)[0]?.reviewers, requests, warnings: lines.length }
    }
    expect(await ask(['ada', 'Corrigenda-Bot', 'grace'])).toEqual({ asked: ['ada', 'grace'], requests: 1, warnings: 0 })
    expect(await ask(['corrigenda-bot'])).toEqual({ asked: [], requests: 0, warnings: 0 })
    const many = Array.from({ length: 20 }, (_, n) => `writer-${n}`)
    expect(await ask(many)).toEqual({ asked: many.slice(0, 15), requests: 1, warnings: 0 })
    expect(await ask(['ada', 'acme/writers', 'grace'])).toEqual({ asked: ['ada', 'grace'], requests: 4, warnings: 1 })
  })

  test('opens a regular pull request when the host does not support drafts', async () => {
    const { full, ensure } = await prepare({ draft: true })
    const message = 'Draft pull requests are not supported in this repository.'
    host.fault({ op: 'pulls.create', kind: 'status', status: 422, message, match: full })
    expect(await ensure()).toMatchObject({ kind: 'ready', draft: false, created: true })
  })
})

describe('finding an existing pull request', () => {
  test.each([
    ['open', false],
    ['closed', false],
    ['merged', true],
  ] as const)('returns an existing pull request that is %s, with or without its branch', async (state, merge) => {
    for (const deleteBranch of state === 'open' ? [false] : [false, true]) {
      const { full, count, ensure, input } = await prepare()
      await ensure()
      if (state !== 'open') await host.closePull(full, 1, { merge, deleteBranch })
      const again = await ensure()
      expect(again).toMatchObject({ kind: 'ready', number: 1, state, created: false, headSha: input.expectedHead })
      expect(count('pulls.create')).toBe(1)
      expect(host.pulls(full)).toHaveLength(1)
    }
  })

  test("returns an earlier run's closed pull request even if the branch has a new commit", async () => {
    for (const branch of [undefined, 'docs/json-flag']) {
      const { full, ensure, input } = await prepare(branch ? { branch } : {})
      await ensure()
      await host.closePull(full, 1)
      const expectedHead = await host.pushCommit(full, input.branch, { message: 'follow-up', files: file('three\n') })
      expect(await ensure({ expectedHead })).toMatchObject({ number: 1, state: 'closed', headSha: input.expectedHead })
      expect(host.pulls(full)).toHaveLength(1)
    }
  })

  test("ignores another job's closed pull request from a branch with the same name", async () => {
    const { full, ensure, input } = await prepare({ branch: 'docs/json-flag' })
    await ensure()
    await host.closePull(full, 1, { merge: true, deleteBranch: true })
    const expectedHead = await host.pushCommit(full, input.branch, { message: 'other job', files: file('other\n') })
    const other = await ensure({ jobId: 'job_other', body: 'Corrigenda job job_other', expectedHead })
    expect(other).toMatchObject({ kind: 'ready', number: 2, state: 'open', created: true })
  })

  test('ignores pull requests from other branches when the host ignores the filter', async () => {
    const careless: typeof fetch = (input, init) => fetch(String(input).replace(/([?&])head=[^&]*&/, '$1'), init)
    for (const settings of [{}, { fetch: careless }]) {
      const { full, ensure, gitHost, input } = await prepare({}, settings)
      await host.pushCommit(full, 'other', { message: 'other', files: file('other\n') })
      await gitHost.createPullRequest({ branch: 'other', base: 'main', title: 'Other', body: '', draft: false })
      expect(await ensure()).toMatchObject({ number: 2, created: true, headSha: input.expectedHead })
    }
  })

  test('filters by owner and branch, because GitHub otherwise returns all pull requests', async () => {
    const { full, ensure } = await prepare({ branch: 'docs/json-flag' })
    await ensure()
    const [list] = host.requests.filter(({ op, path }) => op === 'pulls.list' && path.includes(`/repos/${full}/`))
    const query = new URL(list?.path ?? '', 'http://host.test').searchParams
    expect(Object.fromEntries(query)).toMatchObject({ head: 'acme:docs/json-flag', state: 'all' })
  })

  test('finds the current name of a renamed repository', async () => {
    const { full, ensure } = await prepare()
    await ensure()
    await host.rename(full, `${full}-renamed`)
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, created: false })
  })

  test('rejects a pull request whose branch no longer contains the commit', async () => {
    const { ensure } = await prepare()
    await ensure()
    expect(await ensure({ expectedHead: '0123456789'.repeat(4) })).toMatchObject({
      kind: 'refused',
      code: 'head_mismatch',
    })
  })

  test('accepts a pull request that contains additional commits by users', async () => {
    const { full, ensure, input } = await prepare()
    await ensure()
    const tip = await host.pushCommit(full, input.branch, { message: 'review', files: file('two, fixed\n') })
    expect(await ensure()).toMatchObject({ kind: 'ready', number: 1, headSha: tip, created: false })
  })
})
