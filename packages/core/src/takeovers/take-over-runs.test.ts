import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { LostLeaseError } from '../base/errors.ts'
import { renewLease } from '../leases/renew-lease.ts'
import { claimRun } from '../runs/claim-run.ts'
import { RUNS } from '../runs/fence.ts'
import { finishRun } from '../runs/finish-run.ts'
import { CLAIM_RULES } from '../test-support/create-test-run.ts'
import type { SessionQuery } from './open-worker-session.ts'
import { refuteTakeovers } from './refute-takeovers.ts'
import { lookAtWorkers, readWorkerNames, takeOverRuns } from './take-over-runs.ts'
import { openWorkers } from './test-support/open-workers.ts'
import { toWorkerKey } from './worker-key.ts'

async function open() {
  const workers = await openWorkers()
  const client = new pg.Client({ connectionString: workers.url })
  await client.connect()
  onTestFinished(() => client.end())
  const query: SessionQuery = async (text, values = []) => (await client.query(text, [...values])).rows
  /** Takes over the runs of a worker, as if its lock had been missing since now. */
  const takeOver = async (owner: string, input: { missingSince?: number; maxAttempts?: number } = {}) =>
    takeOverRuns(query, { owner, missingSince: (await lookAtWorkers(query, 'me')).at + 1, maxAttempts: 10, ...input })
  return { ...workers, query, client, takeOver }
}

const OTHER = { owner: 'other' }

test('reads the held locks, the names of workers, and whether others have runs', async () => {
  const { query, start, listBackends, beat } = await open()
  await beat('me', 1)
  const empty = await lookAtWorkers(query, 'me')
  expect([[...empty.held], empty.othersBusy]).toEqual([[], false])
  expect(Math.abs(empty.at - Date.now())).toBeLessThan(60_000)
  await beat('a', 1)
  await start('a')
  await expect.poll(() => listBackends('a')).toHaveLength(1)
  const { held, othersBusy } = await lookAtWorkers(query, 'me')
  expect([[...held], othersBusy]).toEqual([[toWorkerKey('a')], true])
  expect((await readWorkerNames(query)).get(toWorkerKey('a'))).toBe('a')
})

test('does not take over from a worker whose lock is held again', async () => {
  const { claim, takeOver, start, listBackends, read } = await open()
  const run = await claim('back')
  const session = await start('back')
  await expect.poll(() => listBackends('back')).toHaveLength(1)
  expect(await takeOver('back')).toBe(0)
  expect(await read(run)).toMatchObject({ held: true })
  await session.close()
  await expect.poll(() => takeOver('back')).toBe(1)
})

test('leaves runs claimed after the lock was missed, runs without attempts, and locked rows', async () => {
  const { claim, takeOver, query, pool, listTakeovers } = await open()
  const { at } = await lookAtWorkers(query, 'me')
  const { runId } = await claim('w')
  expect(await takeOver('w', { missingSince: at })).toBe(0)
  expect(await takeOver('w', { maxAttempts: 1 })).toBe(0)
  const holder = await pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [runId])
    expect(await takeOver('w')).toBe(0)
    await holder.query('ROLLBACK')
  } finally {
    holder.release()
  }
  expect(await listTakeovers()).toEqual([])
  expect(await takeOver('w')).toBe(1)
  expect(await takeOver('w')).toBe(0)
})

test('the fence rejects writes of a worker that was wrongly taken for dead, and the claim uses no attempt', async () => {
  const { claim, takeOver, prisma, read, listTakeovers } = await open()
  const deps = { ...CLAIM_RULES, prisma }
  const run = await claim('alive')
  expect(await takeOver('alive')).toBe(1)
  expect(await claimRun(deps, { ...OTHER, runId: run.runId })).toMatchObject({ attempt: 2 })
  await expect(renewLease(deps, RUNS, run)).rejects.toThrow(LostLeaseError)
  await expect(finishRun({ prisma }, run, { kind: 'no_changes', summary: 's', checks: [] })).rejects.toThrow(
    LostLeaseError,
  )
  expect(await refuteTakeovers(deps, 'alive')).toBe(1)
  expect(await read(run)).toEqual({ attempt: 2, handovers: 1, held: true })
  expect(await listTakeovers()).toMatchObject([{ run_id: run.runId, attempt: 1, owner: 'alive', wrong: true }])
  expect(await refuteTakeovers(deps, 'alive')).toBe(0)
  expect(await read(run)).toMatchObject({ handovers: 1 })
})

test('a run that was not claimed since a wrong takeover gets its lease back', async () => {
  const { claim, takeOver, prisma, read } = await open()
  const run = await claim('alive')
  await takeOver('alive')
  expect(await read(run)).toMatchObject({ held: false })
  expect(await refuteTakeovers({ ...CLAIM_RULES, prisma }, 'alive')).toBe(1)
  expect(await read(run)).toEqual({ attempt: 1, handovers: 0, held: true })
  expect(await claimRun({ ...CLAIM_RULES, prisma }, { ...OTHER, runId: run.runId })).toBeNull()
})
