import type { Database } from '../db/open-database.ts'

/** Maximum number of sessions per account. The oldest are deleted first. */
const MAX_SESSIONS = 50

/** Deletes a user's expired sessions and those beyond the maximum. */
export async function forgetOldSessions(
  { prisma }: Pick<Database, 'prisma'>,
  { userId }: { userId: string },
): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM sessions WHERE user_id = ${userId} AND (expires_at < now() OR id NOT IN (
      SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC LIMIT ${MAX_SESSIONS}))`
}
