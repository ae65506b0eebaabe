import type { OpsUser } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Database, Db, PrismaDeps } from '../db/open-database.ts'
import type { UserWhereInput } from '../generated/prisma/models/User.ts'
import { lockMembers, takeBackInvitations, toGroupError } from './members.ts'

export interface NewAccount {
  readonly name: string
  /** Lowercase. */
  readonly email: string
  readonly passwordHash: string
}

/**
 * Adds a user who signs in with a password.
 * @param input.isVerified whether an admin or the operator has assigned the address to the user
 * @throws AppError `account_exists` when the email address is taken
 */
export async function insertAccount(
  tx: Db,
  { name, email, passwordHash }: NewAccount,
  { isAdmin, isVerified }: { isAdmin: boolean; isVerified: boolean },
): Promise<{ userId: string }> {
  const userId = newId('usr')
  const { count } = await tx.user.createMany({
    data: { id: userId, name, email, isAdmin, emailVerified: isVerified },
    skipDuplicates: true,
  })
  if (count === 0) {
    throw new AppError(
      'account_exists',
      'An account with this email address already exists. Sign in, then open the link again.',
    )
  }
  await tx.account.create({
    data: { id: newId('acc'), userId, accountId: userId, providerId: 'credential', password: passwordHash },
  })
  return { userId }
}

/**
 * Returns the user with this email address, for commands.
 * @throws Error when the account does not exist
 */
export async function getUserByEmail(
  { prisma }: PrismaDeps,
  text: string,
): Promise<{ id: string; name: string; email: string }> {
  const email = text.trim().toLowerCase()
  const user = await prisma.user.findFirst({ where: { email, isDemo: false } })
  if (!user) throw new Error(`There is no account ${email}. List the accounts with "corrigenda user list".`)
  return user
}

/** Lists all users, oldest first, without secrets. */
export async function listUsers({ prisma }: PrismaDeps) {
  const rows = await readUsers(prisma, { isDemo: false })
  return rows.map(({ id, name, email, emailVerified, isAdmin, adminGroup, createdAt, ...row }) => ({
    id,
    name,
    email,
    emailVerified,
    isAdmin,
    /** The group that makes the user an admin, or null. */
    adminGroup,
    createdAt,
    /** `credential` means a password. */
    signsInWith: row.accounts.map(({ providerId }) => providerId),
    projects: row.memberships,
    /** Latest activity in any current session, or null for a user without a session. */
    lastSeenAt: row.sessions[0]?.updatedAt ?? null,
  }))
}

/**
 * Lists all users for an admin, oldest first. The demo account is listed only for itself.
 * @param input.actorId the requesting user
 */
export async function listOpsUsers(
  { prisma }: PrismaDeps,
  { actorId }: { actorId: string | null },
): Promise<OpsUser[]> {
  const isListed = { OR: [{ isDemo: false }, ...(actorId === null ? [] : [{ id: actorId }])] }
  return (await readUsers(prisma, isListed)).map((row) => toOpsUser(row, actorId))
}

const readUsers = (prisma: Database['prisma'], where: UserWhereInput) =>
  prisma.user.findMany({
    where,
    include: {
      accounts: { select: { providerId: true }, orderBy: { providerId: 'asc' } },
      memberships: { select: { projectId: true, role: true, groupName: true }, orderBy: { createdAt: 'asc' } },
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: 'desc' }, take: 1 },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })

const toOpsUser = (row: Awaited<ReturnType<typeof readUsers>>[number], actorId: string | null): OpsUser => ({
  id: row.id,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  isAdmin: row.isAdmin,
  adminGroup: row.adminGroup,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.sessions[0]?.updatedAt.toISOString() ?? null,
  signsInWith: row.accounts.map(({ providerId }) => toSignInMethod(providerId)).filter((method) => method !== null),
  projects: row.memberships.length,
  you: row.id === actorId,
})

function toSignInMethod(providerId: string): OpsUser['signsInWith'][number] | null {
  if (providerId === 'credential') return 'password'
  return providerId === 'github' || providerId === 'oidc' ? providerId : null
}

/**
 * Grants or revokes admin access. Admin access from a group is kept after the user leaves the group, if
 * it is also granted here. Either change ends the user's sessions, so that a stolen session
 * does not gain admin access.
 * @param input.actorId the requesting admin, or null for the command line; admins who change their
 * own access stay signed in
 * @throws AppError `not_found`; `last_operator`; `managed_by_group` when a group gives the access
 */
export async function setAdmin(
  { prisma, audit }: AuditedDeps,
  { userId, isAdmin, actorId }: { userId: string; isAdmin: boolean; actorId: string | null },
): Promise<OpsUser> {
  await prisma.$transaction(async (tx) => {
    await lockAdmins(tx, actorId)
    const user = await tx.user.findFirst({ where: { id: userId, isDemo: false } })
    if (!user) throw notFound()
    if (user.adminGroup !== null && !isAdmin) throw toGroupError(user.adminGroup)
    const field = user.adminGroup === null ? 'isAdmin' : 'isDirectAdmin'
    if (user[field] === isAdmin) return
    if (!isAdmin) await refuseLastAdmin(tx)
    await tx.user.update({ where: { id: userId }, data: { [field]: isAdmin } })
    await recordAdmin(tx, audit, { user, isAdmin })
    // The group already gave the access, so sessions do not change.
    if (field === 'isDirectAdmin') return
    if (userId !== actorId) await tx.session.deleteMany({ where: { userId } })
    await takeBackInvitations(tx, userId)
  })
  const [changed] = await readUsers(prisma, { id: userId })
  if (!changed) throw notFound()
  return toOpsUser(changed, actorId)
}

export const recordAdmin = (
  tx: Db,
  audit: AuditedDeps['audit'],
  { user, isAdmin }: { user: { id: string; name: string }; isAdmin: boolean },
): Promise<void> =>
  recordAuditEvent(tx, audit, {
    action: isAdmin ? 'account.admin_granted' : 'account.admin_revoked',
    target: { type: 'account', id: user.id, name: user.name },
  })

/** Arbitrary advisory lock key that serializes changes to admins. */
const ADMINS_LOCK = 7_021_469

/**
 * Blocks other changes to admins until the transaction ends.
 * @param actorId the admin making the change, or null when users change their own account
 * @throws AppError `not_found` when the actor is no longer an admin
 */
export async function lockAdmins(tx: Db, actorId: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADMINS_LOCK})`
  if (actorId === null) return
  const actor = await tx.user.findUnique({ where: { id: actorId }, select: { isAdmin: true } })
  if (!actor?.isAdmin) throw notFound()
}

/** Counts the admins, without the demo account, because it works only in the demo. */
export const countAdmins = (prisma: Db): Promise<number> =>
  prisma.user.count({ where: { isAdmin: true, isDemo: false } })

async function refuseLastAdmin(tx: Db): Promise<void> {
  if ((await countAdmins(tx)) > 1) return
  throw new AppError('last_operator', 'This user is the only admin of the service. Make another user an admin first.')
}

/**
 * Deletes an account along with its sessions and memberships. Jobs and keys created by the user
 * remain and still show the user's name.
 * @param input.email the account's email address, as confirmation
 * @param input.actorId the requesting admin, or null when users delete their own account or the
 * command line is used
 * @throws AppError `not_found`; `invalid_request` when the email address differs; `last_owner` or
 * `last_operator` when another user must take over first
 */
export async function deleteUser(
  { prisma, audit }: AuditedDeps,
  { userId, email, actorId }: { userId: string; email: string; actorId: string | null },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await lockAdmins(tx, actorId)
    // The row lock prevents new references to the account, such as a concurrently added membership.
    await tx.$executeRaw`SELECT FROM users WHERE id = ${userId} FOR UPDATE`
    const user = await tx.user.findUnique({ where: { id: userId, isDemo: false } })
    if (!user) throw notFound()
    if (user.email !== email) {
      throw new AppError(
        'invalid_request',
        "This is not the account's email address. Enter the exact address to delete the account.",
      )
    }
    if (user.isAdmin) await refuseLastAdmin(tx)
    await refuseSoleOwner(tx, userId)
    await tx.invitation.deleteMany({ where: { createdById: userId, usedAt: null } })
    await tx.apiKey.updateMany({ where: { createdById: userId }, data: { createdByName: user.name } })
    await tx.user.delete({ where: { id: userId } })
    await recordAuditEvent(tx, audit, {
      action: 'account.deleted',
      target: { type: 'account', id: userId, name: user.name },
      before: { email, isAdmin: user.isAdmin },
    })
  })
}

async function refuseSoleOwner(tx: Db, userId: string): Promise<void> {
  // The fixed order prevents deadlocks between concurrent deletions.
  const owned = await tx.membership.findMany({ where: { userId, role: 'owner' }, orderBy: { projectId: 'asc' } })
  for (const { projectId } of owned) await lockMembers(tx, projectId)
  const [first, ...more] = await listSolelyOwned(tx, userId)
  if (first === undefined) return
  const names = `"${first.name}"${more.length > 0 ? ` and ${more.length} more` : ''}`
  throw new AppError(
    'last_owner',
    `This user is the only owner of ${names}. Make another member an owner, or delete the project. Then delete the account.`,
  )
}

/** Lists the projects whose only owner is this user, sorted by name. */
export const listSolelyOwned = (prisma: Db, userId: string): Promise<{ id: string; name: string }[]> =>
  prisma.project.findMany({
    where: {
      memberships: { some: { userId, role: 'owner' } },
      NOT: { memberships: { some: { userId: { not: userId }, role: 'owner' } } },
    },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
