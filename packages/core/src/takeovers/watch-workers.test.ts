import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claimRun } from '../runs/claim-run.ts'
import { CLAIM_RULES } from '../test-support/create-test-run.ts'
import { ABSENT_MS } from './find-dead-workers.ts'
import { openWorkers } from './test-support/open-workers.ts'

/** Longer than a takeover takes. */
const LONG_MS = ABSENT_MS + 1_500

test("another worker claims a dead worker's run long before its lease expires", async () => {
  const workers = await openWorkers()
  const run = await workers.claim('dead')
  // A worker whose lock was never seen may be of an earlier version.
  const foreign = await workers.claim('foreign')
  const [dead] = [await workers.start('dead'), await workers.start('other')]
  await workers.untilSeen('dead', 'other')
  expect(await workers.listTakeovers()).toEqual([])
  await dead.close()
  await expect.poll(workers.countWakeUps).toBe(1)
  expect(await workers.read(run)).toMatchObject({ attempt: 1, held: false })
  expect(await workers.listTakeovers()).toEqual([{ run_id: run.runId, attempt: 1, owner: 'dead', wrong: false }])
  expect(await claimRun({ ...CLAIM_RULES, ...workers }, { owner: 'other' })).toMatchObject({
    runId: run.runId,
    attempt: 2,
    counters: { attemptsUsed: 2 },
  })
  expect(await workers.read(foreign)).toMatchObject({ held: true })
})

test('a lost session is replaced before the worker counts as dead', async () => {
  const workers = await openWorkers()
  const run = await workers.claim('alive')
  await workers.start('alive')
  await workers.start('other')
  await workers.untilSeen('alive', 'other')
  const [before] = await workers.listBackends('alive')
  await workers.cut(before)
  await expect.poll(async () => (await workers.listBackends('alive')).filter((pid) => pid !== before)).toHaveLength(1)
  await sleep(LONG_MS)
  expect(await workers.listTakeovers()).toEqual([])
  expect(await workers.read(run)).toMatchObject({ held: true })
})

test('a worker whose own session was replaced knows nothing about the others', async () => {
  const workers = await openWorkers()
  const run = await workers.claim('dead')
  const dead = await workers.start('dead')
  await workers.start('other')
  await workers.untilSeen('dead', 'other')
  // As when Postgres restarts: all sessions end together.
  const [backend] = await workers.listBackends('other')
  await Promise.all([dead.close(), workers.cut(backend)])
  await expect.poll(async () => (await workers.listBackends('other')).filter((pid) => pid !== backend)).toHaveLength(1)
  await sleep(LONG_MS)
  expect(await workers.listTakeovers()).toEqual([])
  expect(await workers.read(run)).toMatchObject({ held: true })
})
