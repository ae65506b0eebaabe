import { AppError } from '../base/errors.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'

/** Names the last job of a page of newest-first jobs. */
export const toCursor = (createdAt: Date, id: string): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/**
 * What comes after the page that ended with this cursor.
 * @throws AppError `invalid_request` when it is none of ours
 */
export function toAfterCursor(cursor: string): JobWhereInput {
  const { createdAt, id } = readCursor(cursor)
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }
}

/** Jobs with this text in a prompt, the title or the summary, whatever its case. */
export function toTextFilter(q: string): JobWhereInput {
  // Prisma hands the wildcards of LIKE through.
  const text = { contains: q.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const
  return { OR: [{ title: text }, { summary: text }, { runs: { some: { prompt: text } } }] }
}

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, ms, id] = /^(\d{1,14}) (job_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is not one of ours. Send the nextCursor of the page before, unchanged.',
    )
  }
  return { createdAt: new Date(Number(ms)), id }
}
