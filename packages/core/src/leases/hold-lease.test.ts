import { expect, test } from 'vitest'
import { silent } from '../test-support/create-test-run.ts'
import { readClocks } from './clocks.ts'
import { holdLease } from './hold-lease.ts'
import { lockTask, openTasks, TASKS } from './test-support/create-tasks.ts'

const LOST = { name: 'LostLeaseError' }

async function open(leaseSeconds: number) {
  const tasks = await openTasks(['a'])
  const shutdown = new AbortController()
  const claimedAt = readClocks()
  const held = await tasks.hold(leaseSeconds)
  const deps = { prisma: tasks.database.prisma, leaseSeconds, log: silent, shutdown: shutdown.signal }
  return { ...tasks, held, shutdown, claimedAt, hold: (at = claimedAt) => holdLease(deps, TASKS, held, at) }
}

test('the lease is renewed by the database until it is stopped', async () => {
  const { hold, read } = await open(10)
  const before = (await read('a')).lease_until
  const lease = hold()
  // Requires at least two renewals.
  await expect.poll(async () => Number((await read('a')).lease_until) - Number(before)).toBeGreaterThan(4_000)
  lease.assertHeld()
  expect(lease.signal.aborted).toBe(false)
  lease.stop()
})

test('work is aborted when another claim is seen', async () => {
  const { hold, expire, claim } = await open(60)
  const lease = hold()
  await expire()
  await claim()
  lease.renew()
  await expect.poll(() => lease.signal.aborted).toBe(true)
  expect(lease.signal.reason).toMatchObject(LOST)
  expect(() => lease.assertHeld()).toThrow('lost')
  lease.stop()
})

test('work is aborted when renewals hang until the lease has expired', async () => {
  const { database, hold } = await open(1)
  const unlock = await lockTask(database, 'a')
  const lease = hold()
  try {
    await expect.poll(() => lease.signal.aborted).toBe(true)
    expect(lease.signal.reason).toMatchObject(LOST)
  } finally {
    lease.stop()
    await unlock()
  }
})

test('a process that was suspended sees by its clocks that the lease has expired', async () => {
  const { hold, claimedAt } = await open(60)
  const hour = 3_600_000
  for (const at of [
    { ...claimedAt, wall: claimedAt.wall - hour },
    { ...claimedAt, steady: claimedAt.steady - hour },
  ]) {
    const lease = hold(at)
    expect(() => lease.assertHeld()).toThrow('lost')
    expect(lease.signal.aborted).toBe(true)
    lease.stop()
  }
})

test('a shutdown aborts the work, before or after it began; the first reason stays', async () => {
  const { hold, shutdown } = await open(60)
  const lease = hold()
  shutdown.abort()
  expect(lease.signal.reason).toMatchObject({ name: 'ShutdownError' })
  lease.abort(new Error('later'))
  expect(() => lease.assertHeld()).toThrow('shutting down')
  lease.stop()
  const late = hold()
  expect(late.signal.aborted).toBe(true)
  late.stop()
})
