import { expect, test } from 'vitest'
import { Prisma } from '../generated/prisma/client.ts'
import { releaseLease, renewLease } from './renew-lease.ts'
import { openTasks, TASKS } from './test-support/create-tasks.ts'
import { writeFenced } from './write-fenced.ts'

const LOST = { name: 'LostLeaseError' }

test('rejects all writes from an earlier claim without changing the row', async () => {
  const { database, hold, expire, read } = await openTasks(['a'])
  const deps = { ...database, leaseSeconds: 60 }
  const first = await hold()
  await expire()
  const second = await hold()
  const before = await read('a')
  const note = (held: typeof first) =>
    writeFenced(database, TASKS, held, (tx) => tx.$executeRaw`UPDATE tasks SET note = 'written'`)
  await expect(note(first)).rejects.toMatchObject(LOST)
  await expect(renewLease(deps, TASKS, first)).rejects.toMatchObject(LOST)
  expect(await releaseLease(database.prisma, TASKS, first, Prisma.sql`note = 'released'`)).toBe(false)
  expect(await read('a')).toEqual(before)
  await note(second)
  expect((await read('a')).note).toBe('written')
})

test('allows writes after lease expiry until another worker claims the row', async () => {
  const { database, hold, expire, read } = await openTasks(['a'])
  const held = await hold()
  await expire()
  await writeFenced(database, TASKS, held, (tx) => tx.$executeRaw`UPDATE tasks SET note = 'late'`)
  expect((await read('a')).note).toBe('late')
})

test('rejects writes, renewals and releases for a row whose work has ended', async () => {
  const { database, hold } = await openTasks(['a'])
  const held = await hold()
  await writeFenced(database, TASKS, held, (tx) => tx.$executeRaw`UPDATE tasks SET done = true`)
  await expect(writeFenced(database, TASKS, held, async () => {})).rejects.toMatchObject(LOST)
  await expect(renewLease({ ...database, leaseSeconds: 60 }, TASKS, held)).rejects.toMatchObject(LOST)
  expect(await releaseLease(database.prisma, TASKS, held, Prisma.sql`note = ''`)).toBe(false)
})

test('locks the row during the work, so that a claim skips it even after lease expiry', async () => {
  const { database, claim, hold, expire } = await openTasks(['a'])
  const held = await hold()
  await expire()
  await writeFenced(database, TASKS, held, async () => expect(await claim()).toEqual([]))
  expect(await claim()).toEqual([{ id: 'a', fence: 2 }])
})

test('rolls back when the work throws', async () => {
  const { database, hold, read } = await openTasks(['a'])
  const held = await hold()
  const failing = writeFenced(database, TASKS, held, async (tx) => {
    await tx.$executeRaw`UPDATE tasks SET note = 'half'`
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect((await read('a')).note).toBe('claimed')
})

test('makes a released row claimable immediately and rejects a late renewal', async () => {
  const { database, claim, hold, read } = await openTasks(['a'])
  const held = await hold()
  expect(await releaseLease(database.prisma, TASKS, held, Prisma.sql`note = 'released'`)).toBe(true)
  expect(await read('a')).toMatchObject({ held_by: null, lease_until: null, note: 'released', claims: 1 })
  await expect(renewLease({ ...database, leaseSeconds: 60 }, TASKS, held)).rejects.toMatchObject(LOST)
  expect(await claim()).toEqual([{ id: 'a', fence: 2 }])
})
