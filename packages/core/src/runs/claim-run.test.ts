import { expect, test } from 'vitest'
import { LostLeaseError } from '../errors.ts'
import { claim, createTestRun, endLease } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { finishRun } from './finish-run.ts'
import { freezeRun } from './freeze-run.ts'
import { loadRunState } from './load-run-state.ts'
import { recordPush } from './record-push.ts'
import { releaseRun } from './release-run.ts'
import { renewLease } from './renew-lease.ts'
import { saveTurn } from './save-turn.ts'
import { setPhase } from './set-phase.ts'
import { startRun } from './start-run.ts'

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: 0.5, turns: 1 }
const publish = {
  branch: 'b',
  baseBranch: 'main',
  baseCommit: '1',
  commit: '2',
  commitMessage: 'm',
  timestamp: 1,
  title: 't',
  body: 'b',
  draft: false,
  labels: [],
}

test('of many workers that claim a run one gets it, and nobody else while its lease lives', async () => {
  const database = openTestDatabase(10)
  const { runId, jobId } = await createTestRun(database)
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(database, runId)))
  const held = claims.filter((c) => c !== null)
  expect(held).toHaveLength(1)
  expect(held[0]).toMatchObject({
    runId,
    jobId,
    attempt: 1,
    attemptsUsed: 1,
    prompt: 'Fix it.',
    model: 'm-1',
    base: null,
    frozen: null,
  })
  expect(await claim(database, runId)).toBeNull()
  await endLease(database, runId)
  expect(await claim(database, runId)).toMatchObject({ attempt: 2 })
})

test('every write of a worker that lost the run is refused and changes nothing', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const zombie = await claim(database, runId)
  await endLease(database, runId)
  const successor = await claim(database, runId)
  const before = await database.prisma.job.findUniqueOrThrow({
    where: { id: jobId },
    include: { events: true, runs: { include: { transcript: true, files: true } } },
  })
  const row = {
    seq: 0,
    conversation: 0,
    role: 'user' as const,
    content: [],
    stopReason: null,
    requestId: null,
    usage: null,
  }
  const writes = [
    () => renewLease({ prisma: database.prisma, leaseSeconds: 20 }, zombie!),
    () => startRun(database, zombie!, { baseBranch: 'main', baseCommit: 'x', branch: 'b' }),
    () => setPhase(database, zombie!, 'checking'),
    () =>
      saveTurn(database, zombie!, {
        rows: [row],
        files: [{ path: 'a', mode: '100644', content: Buffer.from('x') }],
        usage,
        events: [{ type: 'x', data: {} }],
      }),
    () => freezeRun(database, zombie!, { publish, title: 't', summary: 's', checks: [] }),
    () => recordPush(database, zombie!, { branch: 'b', commit: 'c' }),
    () => finishRun(database, zombie!, { kind: 'failed', code: 'x', message: 'x' }),
    () => releaseRun(database, zombie!, { reason: 'shutdown', notBefore: null }),
  ]
  for (const write of writes) await expect(write(), String(write)).rejects.toBeInstanceOf(LostLeaseError)
  expect(
    await database.prisma.job.findUniqueOrThrow({
      where: { id: jobId },
      include: { events: true, runs: { include: { transcript: true, files: true } } },
    }),
  ).toEqual(before)
  await finishRun(database, successor!, { kind: 'no_changes', summary: 'ok', checks: [] })
  await expect(finishRun(database, successor!, { kind: 'cancelled' })).rejects.toBeInstanceOf(LostLeaseError)
})

test('a turn is durable as a whole and a successor finds it', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const first = await claim(database, runId)
  await startRun(database, first!, { baseBranch: 'main', baseCommit: 'c0ffee', branch: 'corrigenda/x' })
  const content = [{ type: 'tool_use', id: 't', input: { z: 1, a: '\u0000 and \ud800' }, name: 'edit' }]
  await saveTurn(database, first!, {
    rows: [
      {
        seq: 0,
        conversation: 0,
        role: 'assistant',
        content,
        stopReason: 'tool_use',
        requestId: 'r',
        usage: { inputTokens: 1 },
      },
    ],
    files: [
      { path: 'a.md', mode: '100644', content: Buffer.from('x') },
      { path: 'b.md', mode: '100644', content: null },
      { path: 'c.md', mode: '100644', content: Buffer.from('c') },
    ],
    usage,
    events: [{ type: 'tool.called', data: { tool: 'edit', subject: 'NUL \u0000' } }],
  })
  await saveTurn(database, first!, {
    rows: [],
    files: [
      { path: 'c.md', reverted: true },
      { path: 'b.md', mode: '100644', content: Buffer.from('again') },
    ],
    usage,
    events: [],
  })
  await endLease(database, runId)
  const second = await claim(database, runId)
  expect(second).toMatchObject({ attempt: 2, base: { branch: 'main', commit: 'c0ffee' } })
  const state = await loadRunState(database, runId)
  expect(JSON.stringify(state.rows[0]?.content)).toBe(JSON.stringify(content))
  expect(state.files.map((f) => [f.path, f.content && Buffer.from(f.content).toString()])).toEqual([
    ['a.md', 'x'],
    ['b.md', 'again'],
  ])
  const events = await database.prisma.jobEvent.findMany({ where: { jobId }, orderBy: { seq: 'asc' } })
  expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1))
  expect(events.map((e) => e.type)).toEqual([
    'job.created',
    'job.started',
    'checkout.ready',
    'tool.called',
    'job.resumed',
  ])
})

test('giving back in good order uses no attempt, an error does, and a wait is kept', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  await releaseRun(database, (await claim(database, runId))!, { reason: 'shutdown', notBefore: null })
  expect((await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).phase).toBe('queued')
  const second = await claim(database, runId)
  expect(second).toMatchObject({ attempt: 2, attemptsUsed: 1 })
  await releaseRun(database, second!, { reason: 'error', notBefore: null })
  const third = await claim(database, runId)
  expect(third).toMatchObject({ attempt: 3, attemptsUsed: 2 })
  await releaseRun(database, third!, { reason: 'waiting', notBefore: new Date(Date.now() + 60_000) })
  expect(await claim(database, runId)).toBeNull()
})

test('work counts towards the time budget, waiting does not', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  const first = await claim(database, runId)
  expect(first?.workedMs).toBe(0)
  await database.prisma.$executeRaw`UPDATE runs SET claimed_at = now() - interval '90 seconds' WHERE id = ${runId}`
  await releaseRun(database, first!, { reason: 'waiting', notBefore: null })
  await database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() - interval '1 hour' WHERE id = ${runId}`
  const second = await claim(database, runId)
  expect(second?.workedMs).toBeGreaterThanOrEqual(90_000)
  expect(second?.workedMs).toBeLessThan(120_000)
  // A dead worker counts until its lease ended.
  await database.prisma
    .$executeRaw`UPDATE runs SET claimed_at = now() - interval '1 hour', lease_until = now() - interval '3590 seconds' WHERE id = ${runId}`
  expect((await claim(database, runId))?.workedMs).toBeLessThan(135_000)
})

test('no claim beyond the last attempt', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  for (let i = 0; i < 3; i += 1) {
    expect(await claim(database, runId, { maxAttempts: 3 })).not.toBeNull()
    await endLease(database, runId)
  }
  expect(await claim(database, runId, { maxAttempts: 3 })).toBeNull()
})
