import type { Db } from '../db/open-database.ts'

/**
 * Deletes the invitations that a person made and nobody has used: who may not invite any more must not come back by a link of their own.
 * @param input.projectId null: in all projects
 */
export async function takeBackInvitations(
  tx: Db,
  { userId, projectId }: { userId: string; projectId: string | null },
): Promise<void> {
  await tx.invitation.deleteMany({
    where: { createdById: userId, usedAt: null, ...(projectId !== null && { projectId }) },
  })
}
