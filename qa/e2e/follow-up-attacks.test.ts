import path from 'node:path'
import { getChanges } from '@corrigenda/core/jobs'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import type { RunPoint } from '@corrigenda/worker/internal/run/run-point'
import { afterEach, beforeEach, expect, test } from 'vitest'

let service: TestService
beforeEach(async () => {
  service = await openTestService('redis')
})
afterEach(() => service.close())

const git = (...args: string[]) =>
  service.host.git(FULL, '-c', 'user.name=Robin', '-c', 'user.email=robin@example.com', ...args)
const edit = (n: number, to: string) => scriptPrompt(`Edit ${n}.`, [editPage(n, to)])
const say = (words: string) =>
  scriptPrompt(words, [[{ tool: 'finish', input: { outcome: 'no_change', reason: 'Noted.' } }]])
const branchOf = (id: string) => `corrigenda/${id}`
const commits = async (id: string) => (await git('rev-list', `main..${branchOf(id)}`)).split('\n').filter(Boolean)
const show = (id: string, n: number) => git('show', `${branchOf(id)}:page-${n}.mdx`)
const expire = () =>
  service.database.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second' WHERE active`

/** Runs a job that opens a pull request, and returns its id. */
async function openPull() {
  const created = await service.create(edit(1, 'First.'))
  expect(await service.ended(created.id)).toMatchObject({ outcome: 'changed' })
  return created.id
}

/** Blocks the nth run that reaches a point until `release` is called. */
function buildStop(point: RunPoint, nth: number) {
  let seen = 0
  let reached = () => {}
  let release = () => {}
  const whenReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const onPoint = async (at: RunPoint) => {
    if (at !== point) return
    seen += 1
    if (seen !== nth) return
    reached()
    await released
  }
  return { onPoint, whenReached, release }
}

// Points after an external write that the next worker must not repeat.
const POINTS: readonly RunPoint[] = ['branch.pushed', 'pull.opened']

test('adds one commit, one section and one final event when a worker dies while publishing a follow-up', async () => {
  for (const [n, point] of POINTS.entries()) {
    const stop = buildStop(point, 2)
    const zombie = await service.startWorker({ concurrency: 1 }, stop.onPoint)
    const { id } = await service.create(edit(2 * n, `First ${n}.`))
    await service.ended(id)
    await service.message(id, edit(2 * n + 1, `Second ${n}.`))
    await stop.whenReached
    const successor = await service.startWorker()
    await expire()
    expect([point, await service.ended(id)]).toMatchObject([point, { status: 'completed', outcome: 'changed' }])
    stop.release()
    await Promise.all([zombie.close(), successor.close()])
    expect([point, (await commits(id)).length]).toEqual([point, 2])
    expect(await show(id, 2 * n + 1)).toContain(`Second ${n}.`)
    const pull = service.host.pulls(FULL).find(({ headRef }) => headRef === branchOf(id))
    expect([point, pull?.body?.match(/^## Follow-up/gm)]).toEqual([point, ['## Follow-up']])
    const ends = await service.database.prisma.jobEvent.count({ where: { jobId: id, type: 'job.completed' } })
    expect([point, ends]).toEqual([point, 2])
  }
  expect(service.host.pulls(FULL)).toHaveLength(POINTS.length)
  expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
})

test("completes a dead worker's pushed follow-up after users merge the pull request and delete its branch", async () => {
  const stop = buildStop('branch.pushed', 2)
  const zombie = await service.startWorker({ concurrency: 1 }, stop.onPoint)
  const id = await openPull()
  await service.message(id, edit(2, 'Second.'))
  await stop.whenReached
  await service.host.closePull(FULL, 1, { merge: true, deleteBranch: true })
  await service.startWorker()
  await expire()
  const job = await service.ended(id)
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', pullRequest: { number: 1, state: 'merged' } })
  stop.release()
  await zombie.close()
  expect(await git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main')
  expect(service.host.pulls(FULL)).toHaveLength(1)
})

test('builds on rewritten history and a moved base without undoing either', async () => {
  await service.startWorker()
  const id = await openPull()
  const files = new Map([['page-30.mdx', { data: 'On the base.\n' }]])
  const base = await service.host.pushCommit(FULL, 'main', { message: 'docs: on the base', files })
  // Like a rebase, applies the same change on top of the current base.
  const tree = await git('merge-tree', '--write-tree', 'main', branchOf(id))
  const rebased = await git('commit-tree', tree, '-p', base, '-m', 'docs: rebased')
  await git('update-ref', `refs/heads/${branchOf(id)}`, rebased)
  await service.message(id, edit(2, 'Second.'))
  expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  expect(await git('rev-parse', `${branchOf(id)}^`)).toBe(rebased)
  expect(await show(id, 1)).toContain('First.')
  expect(await show(id, 30)).toBe('On the base.')
  // Contains the pull request's changes but not those on the base branch.
  const changes = await getChanges(service.database, { projectId: service.project.id, id })
  expect(changes.files.map(({ path }) => path)).toEqual(['page-1.mdx', 'page-2.mdx'])
  expect(changes.baseCommit).toBe(base)
})

test('restarts a follow-up on the new commits after a user force-pushes', async () => {
  const stop = buildStop('branch.pushing', 2)
  await service.startWorker({ concurrency: 1 }, stop.onPoint)
  const id = await openPull()
  await service.message(id, edit(2, 'Second.'))
  await stop.whenReached
  const squashed = await git('commit-tree', `${branchOf(id)}^{tree}`, '-p', 'main', '-m', 'docs: squashed')
  await git('update-ref', `refs/heads/${branchOf(id)}`, squashed)
  stop.release()
  expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  expect(await git('rev-parse', `${branchOf(id)}^`)).toBe(squashed)
  expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
})

test('restarts a follow-up whose worker died if users have overwritten its base commit', async () => {
  const stop = buildStop('run.started', 2)
  const zombie = await service.startWorker({ concurrency: 1 }, stop.onPoint)
  const id = await openPull()
  await service.message(id, edit(2, 'Second.'))
  await stop.whenReached
  const squashed = await git('commit-tree', `${branchOf(id)}^{tree}`, '-p', 'main', '-m', 'docs: squashed')
  await git('update-ref', `refs/heads/${branchOf(id)}`, squashed)
  const overwritten =
    (await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id, seq: 2 } })).baseCommit ?? ''
  for (const ref of (await git('for-each-ref', '--format=%(refname)', 'refs/pull')).split('\n').filter(Boolean)) {
    await git('update-ref', '-d', ref)
  }
  await git('reflog', 'expire', '--expire=now', '--all')
  await git('gc', '--prune=now', '--quiet')
  await expect(git('cat-file', '-e', overwritten)).rejects.toThrow()
  await service.startWorker({ cacheDir: path.join(service.dir, 'other') })
  await expire()
  expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  stop.release()
  await zombie.close()
  expect(await git('rev-parse', `${branchOf(id)}^`)).toBe(squashed)
  expect(await service.database.prisma.run.count({ where: { jobId: id, restarts: 1 } })).toBe(1)
})

test('does not recreate a branch that a user deletes while a follow-up is being published', async () => {
  const stop = buildStop('branch.pushing', 2)
  await service.startWorker({ concurrency: 1 }, stop.onPoint)
  const id = await openPull()
  await service.message(id, edit(2, 'Second.'))
  await stop.whenReached
  await git('update-ref', '-d', `refs/heads/${branchOf(id)}`)
  stop.release()
  // The host closes a pull request when its branch is deleted.
  expect(await service.ended(id)).toMatchObject({ status: 'failed', failure: { code: 'pull_request_closed' } })
  expect(await git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main')
})

test('completes a follow-up when the pull request text cannot be updated', async () => {
  await service.startWorker()
  const id = await openPull()
  service.host.fault({ op: 'pulls.update', kind: 'status', status: 403 })
  await service.message(id, edit(2, 'Second.'))
  expect(await service.ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  expect(await commits(id)).toHaveLength(2)
  expect(service.lines.some((line) => line.includes('pull request body not updated'))).toBe(true)
})

test('accepts the next message when a cancelled run left its branch behind', async () => {
  const stop = buildStop('branch.pushed', 1)
  const dead = await service.startWorker({ concurrency: 1 }, stop.onPoint)
  const created = await service.create(edit(1, 'Never.'))
  await stop.whenReached
  expect(await service.cancel(created.id)).toMatchObject({ outcome: 'cancelled' })
  await service.startWorker()
  await service.message(created.id, edit(2, 'After all.'))
  const job = await service.ended(created.id)
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', failure: null })
  stop.release()
  await dead.close()
  expect(await commits(created.id)).toHaveLength(1)
  expect(await show(created.id, 1)).not.toContain('Never.')
  expect(await show(created.id, 2)).toContain('After all.')
})

test('passes each message to the model once, regardless of its arrival time, and ends the job once per round', async () => {
  const opening = await service.startWorker()
  const id = await openPull()
  await opening.close()
  for (const [n, point] of (['branch.pushing', 'run.finishing'] as const).entries()) {
    const stop = buildStop(point, 1)
    const worker = await service.startWorker({ concurrency: 1 }, stop.onPoint)
    await service.message(id, edit(10 + n, `A ${n}.`))
    await stop.whenReached
    await Promise.all([1, 2, 3].map((m) => service.message(id, say(`Say ${n}.${m} at once.`))))
    stop.release()
    expect(await service.ended(id)).toMatchObject({ status: 'completed' })
    await worker.close()
    expect(await show(id, 10 + n)).toContain(`A ${n}.`)
  }
  const { jobMessage, run, jobEvent } = service.database.prisma
  const messages = await jobMessage.findMany({ where: { jobId: id } })
  expect(messages).toHaveLength(8)
  expect(messages.every(({ takenAt, droppedAt }) => takenAt !== null && droppedAt === null)).toBe(true)
  const prompts = (await run.findMany({ where: { jobId: id, kind: 'message' } }))
    .map(({ prompt }) => prompt)
    .join('\n\n')
  for (let n = 0; n < 2; n += 1) {
    for (const m of [1, 2, 3]) expect(prompts.split(`Say ${n}.${m} at once.`)).toHaveLength(2)
  }
  // One for the first run and one for each round, because a message that arrives too late for a run
  // is processed before the job ends.
  expect(await jobEvent.count({ where: { jobId: id, type: 'job.completed' } })).toBe(3)
  expect(service.host.pulls(FULL)).toHaveLength(1)
})
