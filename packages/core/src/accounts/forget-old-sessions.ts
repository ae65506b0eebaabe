import type { Database } from '../db/open-database.ts'

/** Sessions that an account may have at the same time; the oldest go first. */
const MAX_SESSIONS = 50

/** Deletes a person's sessions that are over, and those beyond what one person has. */
export async function forgetOldSessions(
  { prisma }: Pick<Database, 'prisma'>,
  { userId }: { userId: string },
): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM sessions WHERE user_id = ${userId} AND (expires_at < now() OR id NOT IN (
      SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC LIMIT ${MAX_SESSIONS}))`
}
