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
