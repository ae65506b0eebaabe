import type { AccountSession } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** Lists a user's active sessions, newest first. */
export async function listSessions(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; sessionId: string },
): Promise<AccountSession[]> {
  const rows = await prisma.session.findMany({
    where: { userId: input.userId, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    omit: { token: true },
  })
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.updatedAt.toISOString(),
    address: row.ipAddress || null,
    userAgent: row.userAgent?.slice(0, 500) || null,
    current: row.id === input.sessionId,
  }))
}
