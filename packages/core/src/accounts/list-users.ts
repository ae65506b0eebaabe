import type { Database } from '../db/open-database.ts'

/** Lists all users, oldest first, without secrets. */
export async function listUsers({ prisma }: Pick<Database, 'prisma'>) {
  const rows = await prisma.user.findMany({
    where: { isDemo: false },
    include: {
      accounts: { select: { providerId: true } },
      memberships: { select: { projectId: true, role: true, groupName: true }, orderBy: { createdAt: 'asc' } },
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(
    ({ id, name, email, emailVerified, isAdmin, adminGroup, createdAt, accounts, memberships, sessions }) => ({
      id,
      name,
      email,
      emailVerified,
      isAdmin,
      /** The group that makes the user an admin, or null. */
      adminGroup,
      createdAt,
      /** `credential` means a password. */
      signsInWith: accounts.map((account) => account.providerId).sort(),
      projects: memberships,
      /** Latest activity in any current session, or null for a user without a session. */
      lastSeenAt: sessions[0]?.updatedAt ?? null,
    }),
  )
}
