import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openNewTestDatabase } from '../test-support/open-test-database.ts'
import { queryPrepared, queryShared } from './query-prepared.ts'

/** Opens a pool with one connection, and counts the statements that it parses. */
async function open() {
  const { pool } = await openNewTestDatabase(1)
  const list = async () => (await pool.query('SELECT name, statement FROM pg_prepared_statements')).rows
  return { pool, list, text: `SELECT $1::int + 1 AS n, '${Math.random()}' AS unique` }
}

const ask = async (pool: pg.Pool, text: string, n: number) =>
  (await queryPrepared<{ n: number }>(pool, text, [n]))[0]?.n

test('a connection parses a statement once', async () => {
  const { pool, list, text } = await open()
  expect([await ask(pool, text, 1), await ask(pool, text, 2)]).toEqual([2, 3])
  expect(await list()).toEqual([{ name: expect.stringMatching(/^corrigenda_[0-9a-f]{32}$/), statement: text }])
})

test('statements are parsed every time if another connection executes them, as behind a pooler', async () => {
  const { pool, list, text } = await open()
  await ask(pool, text, 1)
  await pool.query('DEALLOCATE ALL')
  expect([await ask(pool, text, 2), await ask(pool, text, 3), await list()]).toEqual([3, 4, []])
})

test('statements are parsed every time if the name exists already', async () => {
  const { pool, list, text } = await open()
  await ask(pool, text, 1)
  const [{ name }] = await list()
  // On the next connection, the statement exists, but this driver has not prepared it.
  const client = await pool.connect()
  client.release(true)
  await pool.query(`PREPARE ${name} (int) AS ${text}`)
  // The pool replaces a connection after an error.
  expect([await ask(pool, text, 2), await ask(pool, text, 3), await list()]).toEqual([3, 4, []])
})

test('statements still work after a migration has changed the type of a column', async () => {
  const { pool } = await open()
  await pool.query('CREATE TABLE numbers AS SELECT 1 AS n')
  const text = 'SELECT n + $1::int AS n FROM numbers'
  expect(await ask(pool, text, 1)).toBe(2)
  await pool.query('ALTER TABLE numbers ALTER n TYPE bigint')
  expect(String(await ask(pool, text, 1))).toBe('2')
})

test('other errors are reported', async () => {
  const { pool } = await open()
  await expect(ask(pool, 'SELECT 1 / $1::int AS n', 0)).rejects.toMatchObject({ code: '22012' })
  await expect(ask(pool, 'SELECT 10 / $1::int AS n', 5)).resolves.toBe(2)
})

/** Opens a pool whose results are held back until they are released. */
async function openHeld() {
  const { pool } = await openNewTestDatabase(4)
  await pool.query('CREATE TABLE versions AS SELECT 1 AS n')
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const held: (() => void)[] = []
  const spy = vi.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
    const result = await query(...args)
    await new Promise<void>((resolve) => held.push(resolve))
    return result
  }) as never)
  onTestFinished(() => {
    for (const release of held) release()
    spy.mockRestore()
  })
  const read = async (min = 0) =>
    (await queryShared<{ n: number }>(pool, 'SELECT n FROM versions WHERE n > $1::int', [min])).map(({ n }) => n)
  const write = () => query('UPDATE versions SET n = n + 1')
  const seen = (count: number) => expect.poll(() => held.length).toBe(count)
  return { pool, read, write, held, seen }
}

test('reads that wait at the same time share a statement, and none joins one that was sent before it', async () => {
  const { read, write, held, seen } = await openHeld()
  const first = [read(), read()]
  await seen(1)
  await write()
  const second = [read(), read(), read()]
  held[0]?.()
  expect(await Promise.all(first)).toEqual([[1], [1]])
  await seen(2)
  held[1]?.()
  expect(await Promise.all(second)).toEqual([[2], [2], [2]])
  expect(held).toHaveLength(2)
})

test('reads with other values have their own statements', async () => {
  const { read, held, seen } = await openHeld()
  const reads = [read(0), read(1)]
  await seen(2)
  for (const release of held) release()
  expect(await Promise.all(reads)).toEqual([[1], []])
})

test('a statement that does not end holds back further reads only for a short time', async () => {
  const { read, held, seen } = await openHeld()
  void read()
  await seen(1)
  const next = read()
  await seen(2)
  held[1]?.()
  expect(await next).toEqual([1])
})

test('an error is reported to the reads that share the statement, and not to later ones', async () => {
  const { pool } = await openNewTestDatabase(1)
  const read = () => queryShared(pool, 'SELECT 1 / n AS n FROM (VALUES ($1::int)) AS v (n)', [0])
  for (const failed of [read(), read()]) await expect(failed).rejects.toMatchObject({ code: '22012' })
  const later = () => queryShared(pool, 'SELECT count(*)::int AS n FROM later', [])
  await expect(later()).rejects.toMatchObject({ code: '42P01' })
  await pool.query('CREATE TABLE later ()')
  expect(await later()).toEqual([{ n: 0 }])
})
