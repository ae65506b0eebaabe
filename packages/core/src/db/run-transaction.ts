import { AppError } from '../base/errors.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { isRolledBack } from './is-rolled-back.ts'
import type { Db } from './open-database.ts'

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
    if (error instanceof AppError) throw error
    if (isDone && !isRolledBack(error)) throw error
    throw new RolledBackError(error)
  }
}
