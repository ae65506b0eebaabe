import { type AuditTarget, isAtLeast, type MemberList, type Role } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import type { MembershipModel } from '../generated/prisma/models/Membership.ts'
import { setRevoked } from '../keys/revoke-key.ts'

interface MemberKey {
  readonly projectId: string
  readonly userId: string
}

/**
 * Returns a user's role in a project, or null when the project does not exist or the user has no
 * access. Callers must not reveal the reason.
 */
export async function findRole(
  { prisma }: PrismaDeps,
  { userId, isAdmin, projectId }: MemberKey & { readonly isAdmin: boolean },
): Promise<Role | null> {
  if (isAdmin) {
    const project = await prisma.project.findUnique({ where: { id: projectId, deletedAt: null }, select: { id: true } })
    return project === null ? null : 'owner'
  }
  const membership = await prisma.membership.findUnique({
    where: { projectId_userId: { projectId, userId }, project: { deletedAt: null } },
  })
  return membership?.role ?? null
}

/**
 * Lists a project's members, oldest first, and its open invitations, newest first.
 * @param input.withInvitations false for users who may not manage members
 */
export async function listMembers(
  { prisma }: PrismaDeps,
  { projectId, userId, withInvitations }: MemberKey & { readonly withInvitations: boolean },
): Promise<MemberList> {
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

/**
 * Adds an existing user to a project without an invitation. The role of a member is not changed.
 * @throws AppError `not_found` for a project or user that does not exist, and for the demo account
 */
export async function addMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, role }: MemberKey & { readonly role: Role },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await lockMembers(tx, projectId)
    const [project, user] = await Promise.all([
      tx.project.findUnique({ where: { id: projectId, deletedAt: null }, select: { id: true } }),
      tx.user.findUnique({ where: { id: userId, isDemo: false }, select: { name: true } }),
    ])
    if (project === null || user === null) throw notFound()
    const known = await tx.membership.findUnique({ where: { projectId_userId: { projectId, userId } } })
    if (known !== null) return
    await tx.membership.create({ data: { projectId, userId, role } })
    await recordAuditEvent(tx, audit, {
      action: 'member.joined',
      projectId,
      target: { type: 'user', id: userId, name: user.name },
      after: { role },
    })
  })
}

/**
 * Changes a member's role, effective from the next request. A former owner's unused
 * invitations are deleted.
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner;
 * `managed_by_group` when a group gives the member a higher role
 */
export async function updateMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, role }: MemberKey & { role: Role },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { before, target } = await lockMember(tx, { projectId, userId })
    const { groupRole, groupName } = before
    if (groupRole !== null && groupName !== null && !isAtLeast(role, groupRole)) throw toGroupError(groupName)
    if (before.role === 'owner' && role !== 'owner') await refuseLastOwner(tx, projectId)
    const directRole = groupRole === null || role === groupRole ? null : role
    await tx.membership.update({ where: { projectId_userId: { projectId, userId } }, data: { role, directRole } })
    if (before.role !== role) {
      await recordAuditEvent(tx, audit, {
        action: 'member.role_changed',
        projectId,
        target,
        before: { role: before.role },
        after: { role },
      })
    }
    await takeBackInvitations(tx, userId)
  })
}

/**
 * Removes a member from a project, effective from the next request. Deletes the member's unused
 * invitations. Keys that the member created stay valid by default, because services depend on them.
 * @param input.revokeKeys also revokes the keys that the member created in the project
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner;
 * `managed_by_group` when a group gives the member a role
 */
export async function removeMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, revokeKeys = false }: MemberKey & { revokeKeys?: boolean },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { before, target } = await lockMember(tx, { projectId, userId })
    if (before.groupName !== null) throw toGroupError(before.groupName)
    if (before.role === 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.delete({ where: { projectId_userId: { projectId, userId } } })
    await takeBackInvitations(tx, userId)
    await recordAuditEvent(tx, audit, {
      action: 'member.removed',
      projectId,
      target,
      before: { role: before.role },
    })
    if (revokeKeys) await setRevoked(tx, audit, { projectId, createdById: userId })
  })
}

/** Serializes a project's membership changes, so that two owners cannot remove each other. */
export async function lockMembers(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`members:${projectId}`}, 0))`
}

/** @throws AppError `not_found` when the user is not a member */
async function lockMember(
  tx: Db,
  { projectId, userId }: MemberKey,
): Promise<{ before: MembershipModel; target: AuditTarget }> {
  await lockMembers(tx, projectId)
  const row = await tx.membership.findUnique({
    where: { projectId_userId: { projectId, userId } },
    include: { user: { select: { name: true } } },
  })
  if (!row) throw notFound()
  return { before: row, target: { type: 'user', id: userId, name: row.user.name } }
}

async function refuseLastOwner(tx: Db, projectId: string): Promise<void> {
  if ((await tx.membership.count({ where: { projectId, role: 'owner' } })) > 1) return
  throw new AppError('last_owner', 'This member is the only owner of the project. Make another member an owner first.')
}

/**
 * Deletes the unused invitations that a user created and may no longer create, so that a user who
 * loses the permission to invite cannot rejoin through one of them. Call it after every change of a
 * user's rights.
 */
export async function takeBackInvitations(tx: Db, userId: string): Promise<void> {
  await tx.invitation.deleteMany({
    where: {
      usedAt: null,
      createdBy: { id: userId, isAdmin: false },
      project: { memberships: { none: { userId, role: 'owner' } } },
    },
  })
}

/** Returns the error for the removal of a right that comes from a group. */
export const toGroupError = (group: string): AppError =>
  new AppError(
    'managed_by_group',
    `This access comes from the group "${group}". Remove the user from the group at the identity provider. The change takes effect when the user signs in again.`,
  )
