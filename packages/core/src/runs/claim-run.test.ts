import { expect, test } from 'vitest'
import { LostLeaseError } from '../base/errors.ts'
import { renewLease } from '../leases/renew-lease.ts'
import { CLAIM_RULES, claim, createTestRun, endLease, freeze } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { claimRun } from './claim-run.ts'
import { RUNS } from './fence.ts'
import { findInterrupted } from './find-interrupted.ts'
import { finishRun } from './finish-run.ts'
import { recordPush } from './record-push.ts'
import { releaseRun } from './release-run.ts'
import { loadRunState, saveTurn } from './save-turn.ts'
import { setPhase, startRun } from './start-run.ts'
import { findWaitingRun } from './sweep-runs.ts'

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: 0.5, turns: 1 }
test('assigns a run to only one of many concurrent workers while its lease is valid', async () => {
  const database = openTestDatabase(10)
  const { runId, jobId } = await createTestRun(database)
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(database, runId)))
  const held = claims.filter((c) => c !== null)
  expect(held).toHaveLength(1)
  expect(held[0]).toMatchObject({
    runId,
    jobId,
    attempt: 1,
    counters: { attemptsUsed: 1 },
    prompt: 'Fix it.',
    model: 'm-1',
    base: null,
    frozen: null,
  })
  expect(await claim(database, runId)).toBeNull()
  await endLease(database, runId)
  expect(await claim(database, runId)).toMatchObject({ attempt: 2 })
})

test('a job whose model is replaced continues with the new model, which its record shows', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const deps = { ...database, ...CLAIM_RULES, leaseSeconds: 60, replacedModels: { 'm-1': 'm-2' } }
  expect(await claimRun(deps, { owner: 'w', runId })).toMatchObject({ model: 'm-2' })
  expect(await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).toMatchObject({ model: 'm-2' })
})

test('rejects every write from a worker that lost the run', async () => {
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
    () => renewLease({ prisma: database.prisma, leaseSeconds: 20 }, RUNS, zombie!),
    () => startRun(database, zombie!, { baseBranch: 'main', baseCommit: 'x', branch: 'b' }),
    () => setPhase(database, zombie!, 'checking'),
    () =>
      saveTurn(database, zombie!, {
        rows: [row],
        files: [{ path: 'a', mode: '100644', content: Buffer.from('x') }],
        usage,
        events: [{ type: 'agent.said', data: { text: 'x' } }],
      }),
    () => freeze(database, zombie!),
    () => recordPush(database, zombie!, { branch: 'b', commit: 'c' }),
    () => finishRun(database, zombie!, { kind: 'failed', code: 'internal_error', message: 'x' }),
    () => releaseRun(database, zombie!, { reason: 'shutdown', afterMs: null }),
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

test('saves a complete turn for the next worker', async () => {
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
  expect([first!.lost, second!.lost]).toEqual([null, { worker: expect.any(String), silentMs: expect.any(Number) }])
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

test('uses an attempt for a release after an error but not on shutdown, and respects a requested wait', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  await releaseRun(database, (await claim(database, runId))!, { reason: 'shutdown', afterMs: null })
  expect((await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).phase).toBe('queued')
  const second = await claim(database, runId)
  expect(second).toMatchObject({ attempt: 2, counters: { attemptsUsed: 1 }, lost: null })
  await releaseRun(database, second!, { reason: 'error', afterMs: null })
  const third = await claim(database, runId)
  expect(third).toMatchObject({ attempt: 3, counters: { attemptsUsed: 2, releases: 1, failures: 1 } })
  await releaseRun(database, third!, { reason: 'waiting', afterMs: 60_000 })
  expect(await claim(database, runId)).toBeNull()
})

test('does not reclaim a released run through a late renewal', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  const held = await claim(database, runId)
  await releaseRun(database, held!, { reason: 'shutdown', afterMs: null })
  await expect(renewLease({ prisma: database.prisma, leaseSeconds: 20 }, RUNS, held!)).rejects.toBeInstanceOf(
    LostLeaseError,
  )
  expect(await claim(database, runId)).toMatchObject({ attempt: 2 })
})

test('counts working time, but not waiting time, towards the time budget', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  const first = await claim(database, runId)
  expect(first?.workedMs).toBe(0)
  await database.prisma.$executeRaw`UPDATE runs SET claimed_at = now() - interval '90 seconds' WHERE id = ${runId}`
  await releaseRun(database, first!, { reason: 'waiting', afterMs: null })
  await database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() - interval '1 hour' WHERE id = ${runId}`
  const second = await claim(database, runId)
  expect(second?.workedMs).toBeGreaterThanOrEqual(90_000)
  expect(second?.workedMs).toBeLessThan(120_000)
  // A dead worker counts as working until its lease expires.
  await database.prisma
    .$executeRaw`UPDATE runs SET claimed_at = now() - interval '1 hour', lease_until = now() - interval '3590 seconds' WHERE id = ${runId}`
  expect((await claim(database, runId))?.workedMs).toBeLessThan(135_000)
})

test('does not claim a run with no attempts left', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  for (let i = 0; i < 3; i += 1) {
    expect(await claim(database, runId, { maxAttempts: 3 })).not.toBeNull()
    await endLease(database, runId)
  }
  expect(await claim(database, runId, { maxAttempts: 3 })).toBeNull()
})

test('prefers the project with the fewest active runs, then the least recently served, oldest run first', async () => {
  const database = await openOwnTestDatabase()
  const a = [await createTestRun(database)]
  for (let i = 0; i < 4; i += 1) a.push(await createTestRun(database, a[0]!.projectId))
  const b = [await createTestRun(database)]
  b.push(await createTestRun(database, b[0]!.projectId))
  const order: string[] = []
  const next = async () => (await claimRun({ ...CLAIM_RULES, ...database }, { owner: 'test' }))!
  for (let i = 0; i < 4; i += 1) order.push((await next()).runId)
  expect(order).toEqual([a[0], b[0], a[1], b[1]].map((run) => run!.runId))
  // A worker with one slot also alternates between projects, although no run is active when it
  // claims one.
  const c = await createTestRun(database)
  for (const run of [a[0], b[0], a[1], b[1]]) {
    await database.prisma
      .$executeRaw`UPDATE runs SET active = false, ended_at = now(), lease_until = NULL WHERE id = ${run!.runId}`
  }
  expect((await next()).runId).toBe(c.runId)
  await database.prisma
    .$executeRaw`UPDATE runs SET active = false, ended_at = now(), lease_until = NULL WHERE id = ${c.runId}`
  expect((await next()).runId).toBe(a[2]!.runId)
})

test("respects a project's concurrency limit under concurrent claims", async () => {
  const database = await openOwnTestDatabase()
  const a = [await createTestRun(database)]
  for (let i = 0; i < 11; i += 1) a.push(await createTestRun(database, a[0]!.projectId))
  const b = await createTestRun(database)
  const rules = { ...CLAIM_RULES, projectConcurrency: 3, prisma: database.prisma }
  const claims = await Promise.all(Array.from({ length: 12 }, () => claimRun(rules, { owner: 'test' })))
  const held = claims.filter((one) => one !== null)
  expect(held.filter((one) => one.projectId === b.projectId)).toHaveLength(1)
  expect(held.filter((one) => one.projectId === a[0]!.projectId)).toHaveLength(3)
  expect(await claimRun(rules, { owner: 'test' })).toBeNull()
  expect(await findWaitingRun(database, b.projectId)).toBeNull()
  const waiting = await findWaitingRun(database, a[0]!.projectId)
  await finishRun(database, held.find((one) => one.projectId === a[0]!.projectId)!, {
    kind: 'no_changes',
    summary: '',
    checks: [],
  })
  expect((await claimRun(rules, { owner: 'test' }))?.runId).toBe(waiting)
})

test("reports which of a worker's runs were lost, ended or cancelled", async () => {
  const database = openTestDatabase()
  const runs = [
    await createTestRun(database),
    await createTestRun(database),
    await createTestRun(database),
    await createTestRun(database),
  ]
  const held = []
  for (const run of runs) held.push((await claim(database, run.runId))!)
  await endLease(database, runs[0]!.runId)
  await claim(database, runs[0]!.runId)
  await finishRun(database, held[1]!, { kind: 'cancelled' })
  await freeze(database, held[2]!)
  await recordPush(database, held[2]!, { branch: 'b', commit: 'c' })
  await database.prisma.$executeRaw`UPDATE runs SET cancel_requested_at = now() WHERE id = ${held[2]!.runId}`
  expect(await findInterrupted(database, held)).toEqual([
    { runId: held[0]!.runId, why: 'lost' },
    { runId: held[1]!.runId, why: 'ended' },
    { runId: held[2]!.runId, why: 'cancelled' },
  ])
})

test('claims a run beyond its last attempt to look up a pull request that it started opening', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  const last = await claim(database, runId, { maxAttempts: 1 })
  expect(last).toMatchObject({ interruptedPublish: null, counters: { attemptLimit: 1 } })
  await freeze(database, last!)
  await recordPush(database, last!, { branch: 'b', commit: 'c' })
  for (let i = 0; i < 5; i += 1) {
    await endLease(database, runId)
    expect(await claim(database, runId, { maxAttempts: 1 })).toMatchObject({
      interruptedPublish: 'attempts_exhausted',
      counters: { attemptLimit: 6 },
    })
  }
  await endLease(database, runId)
  expect(await claim(database, runId, { maxAttempts: 1 })).toBeNull()
})
