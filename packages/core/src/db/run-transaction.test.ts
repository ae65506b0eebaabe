import { expect, inject, onTestFinished, test } from 'vitest'
import { AppError } from '../base/errors.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { openDatabase } from './open-database.ts'
import { RolledBackError, runTransaction } from './run-transaction.ts'
import { toSqlState } from './to-sql-state.ts'

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

test('an error before the commit proves that nothing was changed, also when the connection breaks', async () => {
  const database = openTestDatabase()
  const { prisma, pool } = database
  const { id } = await createTestProject(database)
  const fail = (work: () => Promise<unknown>) =>
    failureOf(
      runTransaction(prisma, async (tx) => {
        await tx.project.update({ where: { id }, data: { name: 'changed' } })
        const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
        await work()
        await pool.query('SELECT pg_terminate_backend($1)', [pid])
        await tx.$queryRaw`SELECT 1`
      }),
    )
  const broken = await fail(async () => {})
  expect(broken).toBeInstanceOf(RolledBackError)
  const bug = await fail(() => Promise.reject(new TypeError('bug')))
  expect(bug).toMatchObject({ name: 'RolledBackError', message: 'bug', cause: expect.any(TypeError) })
  const refusal = new AppError('job_active', 'Wait.')
  expect(await fail(() => Promise.reject(refusal))).toBe(refusal)
  expect((await prisma.project.findUniqueOrThrow({ where: { id } })).name).not.toBe('changed')
})

test('a transaction that was not started or whose commit was rejected changed nothing', async () => {
  const gone = openDatabase({ url: 'postgresql://user@127.0.0.1:1/x', maxConnections: 1, onError: () => {} })
  onTestFinished(() => gone.close())
  expect(await failureOf(runTransaction(gone.prisma, async () => {}))).toBeInstanceOf(RolledBackError)

  const { prisma } = openTestDatabase()
  const rejected = await failureOf(
    runTransaction(prisma, async (tx) => {
      await tx.$executeRaw`CREATE TEMPORARY TABLE checked (n int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP`
      await tx.$executeRaw`INSERT INTO checked VALUES (1), (1)`
    }),
  )
  expect(rejected).toBeInstanceOf(RolledBackError)
  expect(toSqlState(rejected)).toBe('23505')
})

test('a transaction whose connection breaks during the commit may have been committed', async () => {
  const database = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  onTestFinished(() => database.close())
  const { pool } = openTestDatabase()
  const failure = failureOf(
    runTransaction(database.prisma, async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
      await pool.query('SELECT pg_terminate_backend($1, 5000)', [pid])
    }),
  )
  expect(await failure).not.toBeInstanceOf(RolledBackError)
})
