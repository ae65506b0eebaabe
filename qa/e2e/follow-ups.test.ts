import { getChanges } from '@corrigenda/core/jobs'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let service: TestService
afterEach(() => service.close())

const git = (...args: string[]) => service.host.git(FULL, ...args)
const edit = (n: number, to: string, words = `Edit ${n}.`) => scriptPrompt(words, [editPage(n, to)])
const branchOf = (id: string) => `corrigenda/${id}`
const commits = async (id: string) => (await git('rev-list', `main..${branchOf(id)}`)).split('\n').filter(Boolean)

describe.each(['redis', 'postgres'] as const)('follow-ups on %s', (kind) => {
  beforeEach(async () => {
    service = await openTestService(kind)
  })

  test('adds three follow-ups to one pull request with linear history, even after a user pushes', async () => {
    await service.startWorker()
    const created = await service.create(edit(1, 'By the job.'))
    const first = await service.ended(created.id)
    expect(first).toMatchObject({ outcome: 'changed', pullRequest: { number: 1 } })

    expect(await service.message(created.id, edit(2, 'By the first follow-up.'))).toMatchObject({
      status: 'active',
      prLink: null,
      outcome: null,
      pullRequest: { number: 1, state: 'open' },
    })
    // The second message arrives while the model is working on the first.
    service.model.hold('turn', (request) => request.messages.length === 1)
    await service.model.whenHeld('turn')
    await service.message(created.id, edit(3, 'By the second follow-up.'))
    expect((await service.read(created.id)).prLink).toBeNull()
    service.model.release('turn')
    expect(await service.ended(created.id)).toMatchObject({ status: 'completed', prLink: first.prLink })
    expect(await git('show', `${branchOf(created.id)}:page-3.mdx`)).toContain('By the second follow-up.')

    const theirs = await service.host.pushCommit(FULL, branchOf(created.id), {
      message: 'docs: by a person',
      files: new Map([['page-4.mdx', { data: 'By a person.\n' }]]),
    })
    await service.message(created.id, edit(5, 'By the third follow-up.'))
    const last = await service.ended(created.id)
    expect(last).toMatchObject({ outcome: 'changed', prLink: first.prLink, title: first.title })

    expect(service.host.pulls(FULL)).toHaveLength(1)
    const history = await commits(created.id)
    expect(history).toContain(theirs)
    expect(await git('rev-list', '--merges', `main..${branchOf(created.id)}`)).toBe('')
    expect(await git('rev-parse', `${branchOf(created.id)}^`)).toBe(theirs)
    expect(await git('show', `${branchOf(created.id)}:page-4.mdx`)).toBe('By a person.')
    for (const [page, text] of [
      [1, 'By the job.'],
      [5, 'By the third follow-up.'],
    ]) {
      expect(await git('show', `${branchOf(created.id)}:page-${page}.mdx`)).toContain(text)
    }
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
    const [pull] = service.host.pulls(FULL)
    expect(pull?.body?.match(/^## Follow-up \d/gm)?.length).toBeGreaterThanOrEqual(2)
    expect(pull?.body?.startsWith('## Prompt')).toBe(true)
    expect(service.model.violations()).toEqual([])

    // Contains all of the pull request's commits, including the user's, even after its branch is
    // deleted.
    await service.host.closePull(FULL, 1, { merge: true, deleteBranch: true })
    const changes = await getChanges(service.database, { projectId: service.project.id, id: created.id })
    expect(changes.headCommit).toBe(history[0])
    expect(changes.baseCommit).toBe(first.source.ref && (await git('rev-parse', 'main^1')))
    expect(changes.files.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map((n) => `page-${n}.mdx`))
  })
})

describe('follow-ups', () => {
  beforeEach(async () => {
    service = await openTestService('redis')
  })

  test('passes a message that arrives during a turn to the next turn of the same conversation', async () => {
    await service.startWorker()
    service.model.hold('first', (request) => request.messages.length === 1)
    const created = await service.create(edit(1, 'First.'))
    await service.model.whenHeld('first')
    await service.message(created.id, edit(2, 'Second.', 'And the next page.'))
    service.model.release('first')
    const job = await service.ended(created.id)
    expect(job).toMatchObject({ outcome: 'changed' })
    expect(await service.database.prisma.run.count({ where: { jobId: created.id } })).toBe(1)
    expect(await git('show', `${branchOf(created.id)}:page-2.mdx`)).toContain('Second.')
    const requests = service.model.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((text) => text.includes('And the next page.'))
    expect(requests.length).toBeGreaterThan(0)
  })

  test('builds on a commit that a user pushes while a follow-up is being published', async () => {
    const pushing = { count: 0 }
    let theirs = ''
    await service.startWorker({}, async (point, { jobId }) => {
      if (point !== 'branch.pushing') return
      pushing.count += 1
      if (pushing.count !== 2) return
      const files = new Map([['page-9.mdx', { data: 'Just now.\n' }]])
      theirs = await service.host.pushCommit(FULL, branchOf(jobId), { message: 'docs: just now', files })
    })
    const created = await service.create(edit(1, 'First.'))
    await service.ended(created.id)
    await service.message(created.id, edit(2, 'Second.'))
    const job = await service.ended(created.id)
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
    expect(await git('rev-parse', `${branchOf(created.id)}^`)).toBe(theirs)
    expect(await commits(created.id)).toHaveLength(3)
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
  })

  test('creates no duplicates when responses are lost while a follow-up is being published', async () => {
    await service.startWorker()
    const created = await service.create(edit(1, 'First.'))
    await service.ended(created.id)
    service.host.fault({ op: 'git.push', kind: 'apply-then-reset' })
    service.host.fault({ op: 'pulls.update', kind: 'apply-then-reset' })
    await service.message(created.id, edit(2, 'Second.'))
    expect(await service.ended(created.id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    expect(await commits(created.id)).toHaveLength(2)
    expect(service.host.pulls(FULL)[0]?.body?.match(/^## Follow-up/gm)).toHaveLength(1)
  })

  test('fails a follow-up without pushing if its pull request was merged', async () => {
    await service.startWorker()
    const created = await service.create(edit(1, 'First.'))
    const first = await service.ended(created.id)
    await service.host.closePull(FULL, 1, { merge: true })
    await service.message(created.id, edit(2, 'Second.'))
    const job = await service.ended(created.id)
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'pull_request_closed' }, prLink: first.prLink })
    expect(service.host.pulls(FULL)).toHaveLength(1)
  })

  test('continues on a branch without a pull request, and fails a follow-up on a deleted branch', async () => {
    await service.startWorker()
    const failed = { status: 'failed', failure: { code: 'git_host_forbidden' }, prLink: null }
    const created = await service.create(edit(1, 'First.'))
    service.host.fault({ op: 'pulls.create', kind: 'status', status: 403 })
    expect(await service.ended(created.id)).toMatchObject(failed)
    await service.message(created.id, edit(2, 'Second.'))
    expect(await service.ended(created.id)).toMatchObject({ outcome: 'changed', failure: null })
    expect(await commits(created.id)).toHaveLength(2)

    service.host.fault({ op: 'pulls.create', kind: 'status', status: 403 })
    const other = await service.create(edit(3, 'Third.'))
    expect(await service.ended(other.id)).toMatchObject(failed)
    await git('update-ref', '-d', `refs/heads/${branchOf(other.id)}`)
    await service.message(other.id, edit(4, 'Fourth.'))
    expect(await service.ended(other.id)).toMatchObject({ status: 'failed', failure: { code: 'branch_gone' } })
    expect(await git('for-each-ref', '--format=%(refname)', `refs/heads/${branchOf(other.id)}`)).toBe('')
  })

  test('leaves the branch, pull request and link unchanged when a follow-up is cancelled', async () => {
    await service.startWorker()
    const created = await service.create(edit(1, 'First.'))
    const first = await service.ended(created.id)
    const tip = await git('rev-parse', branchOf(created.id))
    service.model.hold('x')
    await service.message(created.id, edit(2, 'Never.'))
    await service.model.whenHeld('x')
    expect(await service.cancel(created.id)).toMatchObject({ outcome: 'cancelled', prLink: first.prLink })
    service.model.release('x')
    expect(await git('rev-parse', branchOf(created.id))).toBe(tip)
    expect(service.host.pulls(FULL)).toMatchObject([{ state: 'open' }])
  })

  test('keeps the branch and the pull request when a follow-up is cancelled after its push', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let pushes = 0
    const worker = await service.startWorker({}, async (point) => {
      if (point !== 'branch.pushed') return
      pushes += 1
      if (pushes === 2) await released
    })
    const created = await service.create(edit(1, 'First.'))
    const first = await service.ended(created.id)
    await service.message(created.id, edit(2, 'Never.'))
    await expect.poll(() => pushes).toBe(2)
    expect(await service.cancel(created.id)).toMatchObject({ outcome: 'cancelled', prLink: first.prLink })
    release()
    await expect.poll(() => service.lines.some((line) => line.includes('run lease lost; nothing written'))).toBe(true)
    // Waits for the worker's remaining actions.
    await worker.close()
    expect(await commits(created.id)).toHaveLength(2)
    expect(service.host.pulls(FULL)).toMatchObject([{ state: 'open' }])
  })

  test('adds no commit to a pull request that is merged while a follow-up runs', async () => {
    let frozen = 0
    await service.startWorker({}, async (point) => {
      if (point !== 'run.frozen') return
      frozen += 1
      if (frozen === 2) await service.host.closePull(FULL, 1, { merge: true })
    })
    const created = await service.create(edit(1, 'First.'))
    await service.ended(created.id)
    const tip = await git('rev-parse', branchOf(created.id))
    await service.message(created.id, edit(2, 'Too late.'))
    expect(await service.ended(created.id)).toMatchObject({ failure: { code: 'pull_request_closed' } })
    expect(await git('rev-parse', branchOf(created.id))).toBe(tip)
  })

  test('processes the reply to a question even if no branch has been pushed', async () => {
    await service.startWorker()
    const created = await service.create(
      scriptPrompt('Which page?', [
        [{ tool: 'finish', input: { outcome: 'needs_input', reason: 'Which page do you mean?' } }],
      ]),
    )
    expect(await service.ended(created.id)).toMatchObject({ outcome: 'needs_input', prLink: null })
    await service.message(created.id, edit(2, 'That page.'))
    expect(await service.ended(created.id)).toMatchObject({ outcome: 'changed', pullRequest: { number: 1 } })
  })
})
