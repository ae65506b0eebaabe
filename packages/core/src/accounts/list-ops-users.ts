import type { OpsUser } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import type { UserWhereInput } from '../generated/prisma/models/User.ts'

/**
 * Lists all users for an admin, oldest first. The demo account is listed only for itself.
 * @param input.actorId the requesting user
 */
export async function listOpsUsers(
  { prisma }: Pick<Database, 'prisma'>,
  { actorId }: { actorId: string | null },
): Promise<OpsUser[]> {
  return list(
    { prisma },
    { where: { OR: [{ isDemo: false }, ...(actorId === null ? [] : [{ id: actorId }])] }, actorId },
  )
}

/** @throws AppError `not_found` */
export async function getOpsUser(
  { prisma }: Pick<Database, 'prisma'>,
  { userId, actorId }: { userId: string; actorId: string | null },
): Promise<OpsUser> {
  const [user] = await list({ prisma }, { where: { id: userId, isDemo: false }, actorId })
  if (!user) throw new AppError('not_found', 'Not found.')
  return user
}

async function list(
  { prisma }: Pick<Database, 'prisma'>,
  { where, actorId }: { where: UserWhereInput; actorId: string | null },
): Promise<OpsUser[]> {
  const rows = await prisma.user.findMany({
    where,
    include: {
      accounts: { select: { providerId: true }, orderBy: { providerId: 'asc' } },
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 },
      _count: { select: { memberships: true } },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerified,
    isAdmin: row.isAdmin,
    adminGroup: row.adminGroup,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.sessions[0]?.updatedAt.toISOString() ?? null,
    signsInWith: row.accounts.map(({ providerId }) => toSignInMethod(providerId)).filter((method) => method !== null),
    projects: row._count.memberships,
    you: row.id === actorId,
  }))
}

function toSignInMethod(providerId: string): OpsUser['signsInWith'][number] | null {
  if (providerId === 'credential') return 'password'
  return providerId === 'github' || providerId === 'oidc' ? providerId : null
}
