import type { Db } from '../db/open-database.ts'

/**
 * Deletes the unused invitations that a user created, so that a user who loses the permission to
 * invite cannot rejoin through one of them.
 * @param input.projectId null for all projects
 */
export async function takeBackInvitations(
  tx: Db,
  { userId, projectId }: { userId: string; projectId: string | null },
): Promise<void> {
  await tx.invitation.deleteMany({
    where: { createdById: userId, usedAt: null, ...(projectId !== null && { projectId }) },
  })
}

/** Deletes the unused invitations that a former admin could create only as an admin. */
export async function takeBackAdminInvitations(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM invitations AS i WHERE created_by_id = ${userId} AND used_at IS NULL AND NOT EXISTS (
      SELECT FROM memberships AS m WHERE m.project_id = i.project_id AND m.user_id = ${userId} AND m.role = 'owner')`
}
