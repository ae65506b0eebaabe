import type pg from 'pg'
import { expect, test } from 'vitest'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { queryPrepared } from './query-prepared.ts'

/** Opens a pool with one connection, and counts the statements that it parses. */
async function open() {
  const { pool } = await openOwnTestDatabase(1)
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
