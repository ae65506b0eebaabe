import type { MemberList } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/**
 * Lists a project's members, oldest first, and its open invitations, newest first.
 * @param input.withInvitations false for users who may not manage members
 */
export async function listMembers(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string; userId: string; withInvitations: boolean },
): Promise<MemberList> {
  const { projectId, userId, withInvitations } = input
  const members = await prisma.membership.findMany({
    where: { projectId },
    include: { user: { select: { name: true, email: true, emailVerified: true } } },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  })
  const invitations = withInvitations
    ? await prisma.invitation.findMany({
        where: { projectId, usedAt: null, expiresAt: { gt: new Date() } },
        omit: { tokenHash: true },
        include: { createdBy: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      })
    : []
  return {
    members: members.map((row) => ({
      userId: row.userId,
      ...row.user,
      role: row.role,
      group: row.groupName !== null && row.groupRole !== null ? { name: row.groupName, role: row.groupRole } : null,
      createdAt: row.createdAt.toISOString(),
      you: row.userId === userId,
    })),
    invitations: invitations.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      createdBy: row.createdBy?.name ?? null,
    })),
  }
}
