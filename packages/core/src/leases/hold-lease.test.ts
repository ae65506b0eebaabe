import { expect, onTestFinished, test, vi } from 'vitest'
import { silent } from '../test-support/create-test-run.ts'
import { holdLease, readClocks } from './hold-lease.ts'
import { openTasks, TASKS } from './test-support/create-tasks.ts'

const LOST = { name: 'LostLeaseError' }

const LEASE_SECONDS = 60
/** Time in ms after which a lease is renewed. */
const RENEWAL_MS = 18_000

async function open() {
  const tasks = await openTasks(['a'])
  const { prisma } = tasks.database
  const shutdown = new AbortController()
  const claimedAt = readClocks()
  const held = await tasks.hold(LEASE_SECONDS)
  /** @param renew replaces the statement that renews the lease */
  const hold = (at = claimedAt, renew?: typeof prisma.$executeRaw) => {
    const deps = { leaseSeconds: LEASE_SECONDS, log: silent, shutdown: shutdown.signal }
    const client = renew === undefined ? prisma : ({ $executeRaw: renew } as typeof prisma)
    return holdLease({ ...deps, prisma: client }, TASKS, held, at)
  }
  const readEnd = async () => Number((await tasks.read('a')).lease_until)
  return { ...tasks, shutdown, claimedAt, hold, readEnd }
}

/** Replaces the timers until the test ends, so that it does not wait. */
function replaceTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('renews the lease until stopped', async () => {
  const { database, claimedAt, hold, readEnd } = await open()
  const before = await readEnd()
  let [sent, renewals] = [0, 0]
  const renew = async (...statement: Parameters<typeof database.prisma.$executeRaw>) => {
    sent += 1
    const count = await database.prisma.$executeRaw(...statement)
    renewals += 1
    return count
  }
  replaceTimers()
  const lease = hold(claimedAt, renew as typeof database.prisma.$executeRaw)
  for (const expected of [1, 2]) {
    await vi.advanceTimersByTimeAsync(RENEWAL_MS)
    await expect.poll(() => renewals).toBe(expected)
  }
  expect(await readEnd()).toBeGreaterThan(before)
  lease.assertHeld()
  expect(lease.signal.aborted).toBe(false)
  lease.stop()
  await vi.advanceTimersByTimeAsync(2 * LEASE_SECONDS * 1000)
  expect([sent, lease.signal.aborted]).toEqual([2, false])
})

test('keeps the lease if two renewals fail', async () => {
  const { database, claimedAt, hold, readEnd } = await open()
  const before = await readEnd()
  let tries = 0
  replaceTimers()
  const lease = hold(claimedAt, (...statement) => {
    tries += 1
    if (tries <= 2) throw new Error('the database is unavailable')
    return database.prisma.$executeRaw(...statement)
  })
  await vi.advanceTimersByTimeAsync(3 * RENEWAL_MS)
  await expect.poll(readEnd).toBeGreaterThan(before)
  expect(tries).toBe(3)
  lease.assertHeld()
  lease.stop()
})

test('aborts the work when another worker has claimed the row', async () => {
  const { hold, expire, claim } = await open()
  // The lease does not expire meanwhile.
  replaceTimers()
  const lease = hold()
  await expire()
  await claim()
  lease.renew()
  await expect.poll(() => lease.signal.aborted).toBe(true)
  expect(lease.signal.reason).toMatchObject(LOST)
  expect(() => lease.assertHeld()).toThrow('lost')
  lease.stop()
})

test('aborts the work when a renewal hangs until the lease expires', async () => {
  const { hold, claimedAt } = await open()
  replaceTimers()
  const lease = hold(claimedAt, () => new Promise(() => {}) as never)
  await vi.advanceTimersByTimeAsync(LEASE_SECONDS * 1000)
  expect(lease.signal.reason).toMatchObject(LOST)
  lease.stop()
})

test('uses both clocks to detect an expired lease after a suspended process resumes', async () => {
  const { hold, claimedAt } = await open()
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
  const { hold, shutdown } = await open()
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
