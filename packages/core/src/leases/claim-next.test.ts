import { expect, test } from 'vitest'
import { Prisma } from '../generated/prisma/client.ts'
import { lockTask, openTasks } from './test-support/create-tasks.ts'

test('claims the first due row with a new fencing token, an owner and a lease', async () => {
  const { claim, read } = await openTasks(['b', 'a'])
  expect(await claim({}, { owner: 'w1' })).toEqual([{ id: 'a', fence: 1 }])
  const row = await read('a')
  expect(row).toMatchObject({ claims: 1, held_by: 'w1', note: 'claimed' })
  expect(Number(row.lease_until) - Date.now()).toBeGreaterThan(30_000)
  expect(await claim()).toEqual([{ id: 'b', fence: 1 }])
  expect(await claim()).toEqual([])
})

test('claims a leased row only after the lease expires, with the next fencing token', async () => {
  const { claim, expire } = await openTasks(['a'])
  expect(await claim()).toHaveLength(1)
  expect(await claim()).toEqual([])
  await expire()
  expect(await claim()).toEqual([{ id: 'a', fence: 2 }])
})

test('distributes rows among concurrent claims', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `task-${n}`)
  const { claim } = await openTasks(ids)
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim({ limit: 2 })))
  const claimed = claims.flat()
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length)
  expect(claimed.every(({ fence }) => fence === 1)).toBe(true)
  const rest = await claim({ limit: 30 })
  expect(claimed.length + rest.length).toBe(30)
})

test('skips a row locked by another transaction without waiting', async () => {
  const { database, claim } = await openTasks(['a', 'b'])
  const unlock = await lockTask(database, 'a')
  try {
    expect(await claim()).toEqual([{ id: 'b', fence: 1 }])
    expect(await claim()).toEqual([])
  } finally {
    await unlock()
  }
  expect(await claim()).toEqual([{ id: 'a', fence: 1 }])
})

test('applies common table expressions, joins and ordering when it selects the next rows', async () => {
  const { claim } = await openTasks(['a', 'b', 'c'])
  const claimed = await claim({
    with: Prisma.sql`wanted AS (SELECT * FROM (VALUES ('a', 3), ('c', 1)) AS v (name, rank))`,
    join: Prisma.sql`JOIN wanted ON wanted.name = tasks.task_id`,
    order: Prisma.sql`wanted.rank`,
  })
  expect(claimed).toEqual([{ id: 'c', fence: 1 }])
})
