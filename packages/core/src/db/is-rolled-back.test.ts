import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { isRolledBack } from './is-rolled-back.ts'
import { openDatabase } from './open-database.ts'

function open(options: Partial<Parameters<typeof openDatabase>[0]> = {}) {
  const database = openDatabase({ url: inject('postgresUrl'), maxConnections: 2, onError: () => {}, ...options })
  onTestFinished(() => database.close())
  return database
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

test('a statement that Postgres rejected or ended at a limit changed nothing', async () => {
  const holder = await openTestDatabase().pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(4711)')
  const wait = 'SELECT pg_advisory_xact_lock(4711)'
  const locks = open({ lockMs: 50 })
  const statements = open({ statementMs: 50 })
  expect((await locks.pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '50ms' }])
  for (const run of [
    () => locks.prisma.$transaction((tx) => tx.$executeRawUnsafe(wait)),
    () => locks.pool.query(wait),
    () => statements.prisma.$transaction((tx) => tx.$executeRawUnsafe('SELECT pg_sleep(60)')),
    () => statements.prisma.$queryRawUnsafe('SELECT 1 FROM no_such_table'),
    () => statements.pool.query('SELECT 1 / 0'),
  ]) {
    expect(isRolledBack(await failureOf(run()))).toBe(true)
  }
  await holder.query('COMMIT')
  holder.release()
})

test('a statement that was not sent changed nothing', async () => {
  const gone = open({ url: 'postgresql://nobody@127.0.0.1:1/x' })
  expect(isRolledBack(await failureOf(gone.prisma.$queryRaw`SELECT 1`))).toBe(true)
  expect(isRolledBack(await failureOf(gone.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1`)))).toBe(true)
  expect(isRolledBack(await failureOf(gone.pool.query('SELECT 1')))).toBe(true)
  const used = open({ maxConnections: 1, waitMs: 200 })
  // On a busy machine, opening the connection can exceed the limit.
  const client = await vi.waitFor(() => used.pool.connect(), { timeout: 60_000 })
  expect(isRolledBack(await failureOf(used.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1`)))).toBe(true)
  expect(isRolledBack(await failureOf(used.pool.query('SELECT 1')))).toBe(true)
  client.release()
})

test('a statement whose connection broke may have been committed', async () => {
  const database = open()
  const failure = failureOf(database.prisma.$executeRawUnsafe("SELECT pg_sleep(60), 'is-rolled-back'"))
  const stop = async () => {
    const { rows } = await openTestDatabase().pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60), ''is-rolled-back%' AND pid <> pg_backend_pid()",
    )
    return rows.length
  }
  await expect.poll(stop).toBe(1)
  expect(isRolledBack(await failure)).toBe(false)
  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'P2028', '08006', '57P01', '58030', 'XX000', '40003']) {
    expect(isRolledBack(Object.assign(new Error('broken'), { code })), code).toBe(false)
  }
  expect(isRolledBack(new Error('Connection terminated unexpectedly'))).toBe(false)
})
