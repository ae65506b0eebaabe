import { AppError } from '../base/errors.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'

/** Encodes the last job on a page as a cursor. */
export const toCursor = (createdAt: Date, id: string): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/**
 * Returns a filter for the jobs after this cursor, in newest-first order.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export function toAfterCursor(cursor: string): JobWhereInput {
  const { createdAt, id } = readCursor(cursor)
  // The first condition is redundant. It lets the index skip the rows before the cursor.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }
}

/** @throws AppError `invalid_request` when the cursor is malformed */
export function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, ms, id] = /^(\d{1,14}) (job_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  return { createdAt: new Date(Number(ms)), id }
}
