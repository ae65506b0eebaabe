import { expect, test } from 'vitest'
import { silent } from '../test-support/create-test-run.ts'
import { holdLease, readClocks } from './hold-lease.ts'
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

test('renews the lease until stopped', async () => {
  const { hold, read } = await open(10)
  const before = (await read('a')).lease_until
  const lease = hold()
  // Requires at least two renewals.
  await expect.poll(async () => Number((await read('a')).lease_until) - Number(before)).toBeGreaterThan(4_000)
  lease.assertHeld()
  expect(lease.signal.aborted).toBe(false)
  lease.stop()
})

test('keeps the lease if two renewals fail', async () => {
  const { database, claimedAt, held, read, shutdown } = await open(6)
  const { prisma } = database
  const before = (await read('a')).lease_until
  let tries = 0
  const $executeRaw: typeof prisma.$executeRaw = (...statement) => {
    tries += 1
    if (tries <= 2) throw new Error('the database is unavailable')
    return prisma.$executeRaw(...statement)
  }
  const flaky = { prisma: { $executeRaw } as typeof prisma, leaseSeconds: 6, log: silent, shutdown: shutdown.signal }
  const lease = holdLease(flaky, TASKS, held, claimedAt)
  await expect.poll(async () => Number((await read('a')).lease_until) - Number(before)).toBeGreaterThan(4_000)
  expect(tries).toBe(3)
  lease.assertHeld()
  lease.stop()
})

test('aborts the work when another worker has claimed the row', async () => {
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

test('aborts the work when renewals hang until the lease expires', async () => {
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

test('uses both clocks to detect an expired lease after a suspended process resumes', async () => {
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

test('aborts the work on shutdown, even if the shutdown preceded the start, and keeps the first reason', async () => {
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
