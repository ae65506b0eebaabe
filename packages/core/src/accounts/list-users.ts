import type { Database } from '../db/open-database.ts'

/** All people, from the oldest on, without anything secret. */
export async function listUsers({ prisma }: Pick<Database, 'prisma'>) {
  const rows = await prisma.user.findMany({
    where: { isDemo: false },
    include: {
      accounts: { select: { providerId: true } },
      memberships: { select: { projectId: true, role: true }, orderBy: { createdAt: 'asc' } },
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ id, name, email, isOperator, createdAt, accounts, memberships, sessions }) => ({
    id,
    name,
    email,
    isOperator,
    createdAt,
    /** `credential` is a password. */
    signsInWith: accounts.map((account) => account.providerId).sort(),
    projects: memberships,
    /** Of the sessions that have not ended; null: none. */
    lastSeenAt: sessions[0]?.updatedAt ?? null,
  }))
}
