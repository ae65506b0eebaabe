import type { Evidence, RunSource } from '@corrigenda/contracts'
import { describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { deleteJob } from '../jobs/delete-job.ts'
import { getJob } from '../jobs/get-job.ts'
import { sendMessage } from '../jobs/send-message.ts'
import { buildTestPublish } from '../test-support/build-test-publish.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import type { Claim } from './claim-run.ts'
import { finishRun, type RunOutcome } from './finish-run.ts'
import { freezeRun } from './freeze-run.ts'
import { recordPush } from './record-push.ts'
import { releaseRun } from './release-run.ts'
import { findLastRead } from './source-reads.ts'
import { startRun } from './start-run.ts'

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]
const CODE = 'https://github.com/acme/code'

const toSource = (commit: string, change: Partial<RunSource> = {}): RunSource => ({
  name: 'code',
  repository: CODE,
  ref: 'main',
  commit,
  baseCommit: null,
  note: 'It may be from a fork.',
  visibility: 'private',
  cite: 'none',
  paths: ['src/**'],
  quotable: [],
  ...change,
})
const cite = (page: string, change: Partial<Evidence> = {}): Evidence => ({
  page,
  source: 'code',
  path: 'src/flags.ts',
  fromLine: 3,
  toLine: 5,
  note: 'Defines it.',
  ...change,
})
const shown = ({ name, repository, ref, commit, baseCommit, note }: RunSource) => ({
  name,
  repository,
  ref,
  commit,
  baseCommit,
  note: note ?? null,
})

function open() {
  const database = openTestDatabase(4)
  const start = (held: Claim, sources?: readonly RunSource[]) => {
    const isContinuing = held.seq > 1
    const base = { baseBranch: 'main', baseCommit: 'c0', branch: `corrigenda/${held.jobId}`, isContinuing }
    return startRun(database, held, sources === undefined ? base : { ...base, sources })
  }
  /** Ends a run with a change of the given pages. */
  const change = async (
    held: Claim,
    pages: readonly string[],
    evidence?: readonly Evidence[],
    sourcesShown?: string[],
  ) => {
    const files = pages.map((path) => ({
      path,
      status: 'modified' as const,
      additions: 1,
      deletions: 0,
      patch: null,
      omitted: null,
    }))
    const publish = {
      ...buildTestPublish(),
      ...(evidence === undefined ? {} : { evidence: [...evidence] }),
      ...(sourcesShown === undefined ? {} : { sourcesShown }),
    }
    const frozen = { publish, title: 't', summary: 's', checks: [], changes: { baseCommit: 'c0', files } }
    await freezeRun(database, held, frozen)
    await recordPush(database, held, { branch: `corrigenda/${held.jobId}`, commit: 'c1' })
    const url = `https://github.com/acme/docs/pull/${held.jobId}`
    const pullRequest = { number: 1, url, branch: `corrigenda/${held.jobId}`, state: 'open' as const, draft: false }
    await finishRun(database, held, { kind: 'changed', pullRequest })
  }
  const begin = async (projectId?: string) => {
    const run = await createTestRun(database, projectId)
    return { ...run, held: (await claim(database, run.runId))! }
  }
  const follow = async ({ projectId, jobId: id }: { projectId: string; jobId: string }) => {
    const quota = { limit: 100, windowSeconds: 3600 }
    const deps = { ...database, audit: COMMAND_LINE, queue: { wakeWorker: async () => {} }, log: silent }
    const input = { projectId, id, request: { prompt: 'More.' }, idempotencyKey: null }
    await sendMessage({ ...deps, quota, messageQuota: quota } as never, input)
    const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId: id, active: true } })
    return (await claim(database, runId))!
  }
  const read = ({ projectId, jobId }: { projectId: string; jobId: string }) =>
    getJob(database, { projectId, id: jobId })
  return { database, start, change, begin, follow, read }
}

test('pins the sources of a run and shows them on the job', async () => {
  const { database, start, begin, read } = open()
  const { held, runId, ...job } = await begin()
  expect(held.sources).toBeNull()
  expect(await read(job)).toMatchObject({ sources: [], evidence: [] })
  const sources = [
    toSource(A, { baseCommit: B }),
    toSource(C, { name: 'docs', repository: 'https://github.com/acme/docs' }),
  ]
  await start(held, sources)
  expect((await read(job)).sources).toEqual(sources.map(shown))
  await releaseRun(database, held, { reason: 'shutdown', afterMs: null })
  const successor = (await claim(database, runId))!
  expect(successor.sources).toEqual(sources)
  // A repetition is accepted, but no other commit.
  await start(successor, sources)
  await start(successor)
  await expect(start(successor, [toSource(B)])).rejects.toThrow(/pinned/)
  expect((await read(job)).sources).toEqual(sources.map(shown))
  for (const changed of ['[]', null]) {
    const update = database.prisma.$executeRaw`UPDATE runs SET sources = ${changed}::jsonb WHERE id = ${runId}`
    await expect(update).rejects.toThrow(/pinned/)
  }
})

test('publishes the evidence of a change with the commits that contain the lines', async () => {
  const { start, change, begin, follow, read } = open()
  const { held, ...job } = await begin()
  await start(held, [toSource(A)])
  const stray = cite('a.md', { source: 'other' })
  await change(
    held,
    ['a.md', 'b.md', 'c.md'],
    [
      cite('a.md', { note: 'First \u0000.' }),
      cite('a.md', { fromLine: 9, toLine: 9 }),
      cite('b.md'),
      cite('c.md'),
      stray,
      cite('unchanged.md'),
    ],
  )
  const first = await read(job)
  expect(first.evidence).toEqual([
    { ...cite('a.md', { note: 'First \ufffd.' }), commit: A },
    { ...cite('a.md', { fromLine: 9, toLine: 9 }), commit: A },
    { ...cite('b.md'), commit: A },
    { ...cite('c.md'), commit: A },
  ])
  // The follow-up cites b.md again, at a newer commit, and no longer changes c.md.
  const next = await follow(job)
  await start(next, [toSource(B)])
  await change(next, ['a.md', 'b.md'], [cite('b.md', { path: 'src/new.ts' })])
  const second = await read(job)
  expect(second.evidence).toEqual([
    ...first.evidence.slice(0, 2),
    { ...cite('b.md', { path: 'src/new.ts' }), commit: B },
  ])
  expect(second.sources.map(({ commit }) => commit)).toEqual([B])
})

test.each<RunOutcome>([
  { kind: 'no_changes', summary: '', checks: [] },
  { kind: 'failed', code: 'source_leak', message: 'm' },
])('keeps the earlier evidence if a follow-up ends with $kind', async (outcome) => {
  const { database, start, change, begin, follow, read } = open()
  const { held, ...job } = await begin()
  await start(held, [toSource(A)])
  await change(held, ['a.md'], [cite('a.md')])
  const next = await follow(job)
  await start(next, [toSource(B)])
  await finishRun(database, next, outcome)
  expect((await read(job)).evidence).toEqual([{ ...cite('a.md'), commit: A }])
})

test('a run without evidence, as frozen by an earlier version, leaves none', async () => {
  const { start, change, begin, read } = open()
  const { held, ...job } = await begin()
  await start(held)
  await change(held, ['a.md'])
  expect(await read(job)).toMatchObject({ sources: [], evidence: [] })
})

test('finds the commits that the last completed job of the project read', async () => {
  const { database, start, change, begin } = open()
  const { projectId } = await begin()
  const find = (jobId = 'none', project = projectId, ref: string | null = 'main', repositoryUrl = CODE) =>
    findLastRead(database.prisma, { projectId: project, jobId, repositoryUrl, ref })
  const run = async (commit: string, outcome: RunOutcome | null, name = 'code', ref: string | null = 'main') => {
    const { held, jobId } = await begin(projectId)
    await start(held, [toSource(commit, { name, ref })])
    if (outcome === null) await change(held, ['a.md'], [])
    else await finishRun(database, held, outcome)
    const { startedAt } = await database.prisma.run.findUniqueOrThrow({ where: { id: held.runId } })
    return { jobId, startedAt }
  }
  expect(await find()).toBeNull()
  const first = await run(A, { kind: 'no_changes', summary: '', checks: [] })
  expect(await find()).toEqual({ commit: A, readAt: first.startedAt })
  expect(await find('none', projectId, 'main', 'https://github.com/acme/web')).toBeNull()
  // These jobs did not complete their work, so the next job must see the same changes.
  await run(C, { kind: 'failed', code: 'impossible', message: 'm' })
  await run(C, { kind: 'cancelled' })
  await run(C, { kind: 'needs_input', summary: 'Which page?', checks: [] })
  expect((await find())?.commit).toBe(A)
  // Neither does a job that read a pull request or a single commit show the changes before it.
  await run(C, { kind: 'no_changes', summary: '', checks: [] }, 'code', null)
  expect((await find())?.commit).toBe(A)
  // A release branch has its own last job. A read that an earlier version recorded counts for each.
  const release = await run(C, { kind: 'no_changes', summary: '', checks: [] }, 'code', 'v1')
  expect((await find())?.commit).toBe(A)
  for (const ref of ['v1', null]) expect((await find('none', projectId, ref))?.commit).toBe(C)
  await database.prisma.sourceRead.updateMany({ where: { jobId: release.jobId }, data: { ref: null } })
  expect((await find())?.commit).toBe(C)
  await deleteJob({ ...database, audit: COMMAND_LINE }, { projectId, id: release.jobId })
  // The name does not matter.
  const second = await run(B, null, 'renamed')
  expect((await find())?.commit).toBe(B)
  expect((await find(second.jobId))?.commit).toBe(A)
  expect(await find('none', (await begin()).projectId)).toBeNull()
  // A job that started earlier but ended later does not hide what a newer one read.
  const slow = await begin(projectId)
  await start(slow.held, [toSource(C)])
  const third = await run(A, null)
  await change(slow.held, ['a.md'])
  expect((await find())?.commit).toBe(A)
  for (const { jobId: id } of [third, slow]) await deleteJob({ ...database, audit: COMMAND_LINE }, { projectId, id })
  expect((await find())?.commit).toBe(B)
  await deleteJob({ ...database, audit: COMMAND_LINE }, { projectId, id: second.jobId })
  expect((await find())?.commit).toBe(A)
})

describe('records only the sources that a run read', () => {
  const WEB = 'https://github.com/acme/web'
  const find = async ({ database }: ReturnType<typeof open>, projectId: string) => {
    const read = (repositoryUrl: string) =>
      findLastRead(database.prisma, { projectId, jobId: 'none', repositoryUrl, ref: 'main' })
    return { code: (await read(CODE))?.commit, web: (await read(WEB))?.commit }
  }
  const pinned = (commit: string) => [toSource(commit), toSource(commit, { name: 'web', repository: WEB })]

  test.each(['changed', 'no_changes'] as const)('with the outcome %s', async (outcome) => {
    const opened = open()
    const { start, change, begin, database } = opened
    const { projectId } = await begin()
    const run = async (commit: string, sourcesShown?: string[]) => {
      const { held } = await begin(projectId)
      await start(held, pinned(commit))
      if (outcome === 'changed') await change(held, ['a.md'], [], sourcesShown)
      else {
        const shown = sourcesShown === undefined ? {} : { sourcesShown }
        await finishRun(database, held, { kind: outcome, summary: '', checks: [], ...shown })
      }
    }
    await run(A, ['web', 'code'])
    await run(B, ['web'])
    await run(C, [])
    expect(await find(opened, projectId)).toEqual({ code: A, web: B })
    // A run that an earlier version froze.
    await run(C)
    expect(await find(opened, projectId)).toEqual({ code: C, web: C })
  })

  test('a follow-up keeps what an earlier run of the job read', async () => {
    const opened = open()
    const { start, change, begin, follow } = opened
    const { held, ...job } = await begin()
    await start(held, pinned(A))
    await change(held, ['a.md'], [], ['code', 'web'])
    const next = await follow(job)
    await start(next, pinned(B))
    await change(next, ['a.md'], [], ['web'])
    expect(await find(opened, job.projectId)).toEqual({ code: A, web: B })
  })

  test('so does a message that arrives before the first run ends', async () => {
    const opened = open()
    const { start, change, begin, database } = opened
    const { held, ...job } = await begin()
    await start(held, pinned(A))
    const at = new Date()
    const message = {
      id: `msg_${job.jobId}`,
      jobId: job.jobId,
      projectId: job.projectId,
      prompt: 'More.',
      createdAt: at,
    }
    await database.prisma.jobMessage.create({ data: message as never })
    await change(held, ['a.md'], [], ['code'])
    const { id } = await database.prisma.run.findFirstOrThrow({ where: { jobId: job.jobId, active: true } })
    const next = (await claim(database, id))!
    await start(next, pinned(B))
    await change(next, ['a.md'], [], ['web'])
    expect(await find(opened, job.projectId)).toEqual({ code: A, web: B })
  })
})
