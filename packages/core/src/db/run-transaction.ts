import type pg from 'pg'
import { AppError } from '../base/errors.ts'
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import { isRolledBack } from './is-rolled-back.ts'
import type { Db } from './open-database.ts'
import { stopNaming, toStatement } from './query-prepared.ts'

/** A transaction failed and changed nothing. `cause` is the error. */
export class RolledBackError extends Error {
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'RolledBackError'
  }
}

/**
 * Runs `work` in a transaction. Use it where one transaction contains all changes of a request: its
 * errors then tell the caller of the API whether the request was processed.
 * @throws AppError as thrown by `work`. RolledBackError for any other error that occurs before the
 * commit, or with which Postgres rejects the commit. Any other error: the transaction may have been
 * committed
 */
export async function runTransaction<T>(
  prisma: Pick<PrismaClient, '$transaction'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  let isDone = false
  try {
    return await prisma.$transaction(async (tx) => {
      const result = await work(tx)
      isDone = true
      return result
    })
  } catch (error) {
    throw toTransactionError(error, isDone)
  }
}

/**
 * An open transaction in which tagged templates are sent as SQL. Both Prisma's transactions and
 * {@link runSqlTransaction} have these methods.
 */
export interface SqlTx {
  $queryRaw<Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>
}

/**
 * Runs statements in a transaction without Prisma, which takes about six times as much CPU time for
 * each of them. Throws the errors of {@link runTransaction}.
 */
export async function runSqlTransaction<T>(pool: pg.Pool, work: (tx: SqlTx) => Promise<T>): Promise<T> {
  try {
    return await runOnce(pool, work)
  } catch (error) {
    // The pooler does not support named statements, so they have no names from now on.
    if (error instanceof RolledBackError && stopNaming(pool, error.cause)) return runOnce(pool, work)
    throw error
  }
}

async function runOnce<T>(pool: pg.Pool, work: (tx: SqlTx) => Promise<T>): Promise<T> {
  let isDone = false
  let client: pg.PoolClient | undefined
  try {
    client = await pool.connect()
    // The next statement reports a lost connection. Without a listener, it would end the process.
    client.on('error', ignoreError)
    // The first statement fails, too, if the transaction cannot begin.
    client.query('BEGIN').catch(ignoreError)
    const result = await work(toSqlTx(pool, client))
    isDone = true
    await client.query('COMMIT')
    client.off('error', ignoreError).release()
    return result
  } catch (error) {
    // A connection that cannot roll back is closed, which rolls back, too.
    await client?.query('ROLLBACK').then(
      () => client?.off('error', ignoreError).release(),
      () => client?.release(true),
    )
    throw toTransactionError(error, isDone)
  }
}

function ignoreError(): void {}

function toSqlTx(pool: pg.Pool, client: pg.PoolClient): SqlTx {
  const send = (query: TemplateStringsArray | Prisma.Sql, values: unknown[]) => {
    const { text, values: all } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values)
    return client.query(toStatement(pool, text, all))
  }
  return {
    $queryRaw: async <Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await send(query, values)).rows as Rows,
    $executeRaw: async (query, ...values) => (await send(query, values)).rowCount ?? 0,
  }
}

function toTransactionError(error: unknown, isDone: boolean): unknown {
  if (error instanceof AppError) return error
  return isDone && !isRolledBack(error) ? error : new RolledBackError(error)
}
