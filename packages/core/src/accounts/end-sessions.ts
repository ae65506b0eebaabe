import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Ends one of a user's sessions. Its next request is rejected.
 * @throws AppError `not_found`, including for another user's session
 */
export async function endSession(
  { prisma, audit }: AuditedDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, userId } })
    if (count === 0) throw new AppError('not_found', 'Not found.')
    await recordAuditEvent(tx, audit, { action: 'session.ended', target: { type: 'session', id, name: null } })
  })
}

/** Ends all of a user's sessions except the given one. Idempotent. */
export async function endOtherSessions(
  { prisma, audit }: AuditedDeps,
  input: { userId: string; sessionId: string | null },
): Promise<void> {
  const { userId, sessionId } = input
  await prisma.$transaction(async (tx) => {
    const where = { userId, ...(sessionId !== null && { id: { not: sessionId } }) }
    const ended = await tx.session.findMany({ where, select: { id: true } })
    await tx.session.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } })
    for (const { id } of ended) {
      await recordAuditEvent(tx, audit, { action: 'session.ended', target: { type: 'session', id, name: null } })
    }
  })
}

/** Deletes a session that has expired or that a new session replaces. Idempotent. */
export async function dropSession({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id } })
}
