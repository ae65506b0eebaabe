import { isAtLeast, type Role } from '@corrigenda/contracts'
import { SYSTEM } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { lockMembers, takeBackInvitations } from './members.ts'
import { countAdmins, lockAdmins, recordAdmin } from './users.ts'

/** The rights that groups of the identity provider give to their members. */
export interface GroupRules {
  /** Groups whose members are admins. */
  readonly admins: readonly string[]
  readonly roles: readonly GroupRole[]
}

/** The role in a project that a group gives to its members. */
export interface GroupRole {
  readonly group: string
  readonly projectId: string
  readonly role: Role
}

/** A user's rights from groups. */
export interface GroupRights {
  /** The group that makes the user an admin. Null: none. */
  readonly adminGroup: string | null
  /** At most one role per project. */
  readonly roles: readonly GroupRole[]
}

export const NO_GROUP_RIGHTS: GroupRights = { adminGroup: null, roles: [] }

/**
 * Returns the rights of a user in these groups. In each project, the user gets the highest role.
 * Group names are compared exactly.
 */
export function toGroupRights(rules: GroupRules, groups: readonly string[]): GroupRights {
  const own = new Set(groups)
  const roles = new Map<string, GroupRole>()
  for (const rule of rules.roles) {
    if (!own.has(rule.group)) continue
    const best = roles.get(rule.projectId)
    if (best === undefined || !isAtLeast(best.role, rule.role)) roles.set(rule.projectId, rule)
  }
  return { adminGroup: rules.admins.find((group) => own.has(group)) ?? null, roles: [...roles.values()] }
}

/**
 * Gives a user exactly these rights from groups: adds new ones and removes earlier ones. Rights that
 * were given without a group are kept. Roles in projects that do not exist are ignored.
 * @returns isLastAdmin: true if the user keeps admin access only because there is no other admin
 */
export async function applyGroupRights(
  { prisma }: PrismaDeps,
  input: { readonly userId: string; readonly rights: GroupRights },
): Promise<{ isLastAdmin: boolean }> {
  return prisma.$transaction((tx) => writeGroupRights(tx, input))
}

/** Does the work of `applyGroupRights` in a transaction. */
export async function writeGroupRights(
  tx: Db,
  { userId, rights }: { readonly userId: string; readonly rights: GroupRights },
): Promise<{ isLastAdmin: boolean }> {
  const admin = await setGroupAdmin(tx, { userId, group: rights.adminGroup })
  const before = await tx.membership.findMany({ where: { userId, groupRole: { not: null } } })
  const wanted = new Map(rights.roles.map((one) => [one.projectId, one]))
  const ids = [...new Set([...before.map((one) => one.projectId), ...wanted.keys()])]
  // The lock prevents the deletion of a project before its membership is added. The fixed order
  // prevents deadlocks.
  const projects = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM projects WHERE id = ANY (${ids}) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`
  for (const { id: projectId } of projects) {
    await setGroupRole(tx, { projectId, userId, given: wanted.get(projectId) ?? null })
  }
  return admin
}

/**
 * Sets or removes the group that makes a user an admin. Admin access that was granted without a
 * group is kept, and so is that of the last admin. A change of access ends the user's sessions.
 */
async function setGroupAdmin(
  tx: Db,
  { userId, group }: { readonly userId: string; readonly group: string | null },
): Promise<{ isLastAdmin: boolean }> {
  await lockAdmins(tx, null)
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  const isDirect = user.adminGroup === null ? user.isAdmin : user.isDirectAdmin
  if (group === null && user.adminGroup === null) return { isLastAdmin: false }
  if (group === null && !isDirect && (await countAdmins(tx)) <= 1) return { isLastAdmin: true }
  const isAdmin = group !== null || isDirect
  const data = { isAdmin, adminGroup: group, isDirectAdmin: group !== null && isDirect }
  await tx.user.update({ where: { id: userId }, data })
  if (isAdmin !== user.isAdmin) {
    await tx.session.deleteMany({ where: { userId } })
    await recordAdmin(tx, SYSTEM, { user, isAdmin })
  }
  await takeBackInvitations(tx, userId)
  return { isLastAdmin: false }
}

/**
 * Sets or removes the role that a group gives to a user in an existing project. A role that was
 * given without a group is kept. Groups can leave a project without an owner, because admins own
 * every project.
 */
async function setGroupRole(
  tx: Db,
  input: { readonly projectId: string; readonly userId: string; readonly given: GroupRole | null },
): Promise<void> {
  const { projectId, userId, given } = input
  await lockMembers(tx, projectId)
  const key = { projectId_userId: { projectId, userId } }
  const row = await tx.membership.findUnique({ where: key })
  const before = row?.role ?? null
  const directRole = row && (row.groupRole === null ? row.role : row.directRole)
  let role = directRole
  if (given !== null) {
    if (directRole === null || !isAtLeast(directRole, given.role)) role = given.role
    const data = { role: role ?? given.role, directRole, groupRole: given.role, groupName: given.group }
    await tx.membership.upsert({ where: key, create: { projectId, userId, ...data }, update: data })
  } else if (directRole === null) {
    await tx.membership.deleteMany({ where: { projectId, userId } })
  } else {
    const data = { role: directRole, directRole: null, groupRole: null, groupName: null }
    await tx.membership.update({ where: key, data })
  }
  if (before === role) return
  await takeBackInvitations(tx, userId)
  const { name } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } })
  await recordAuditEvent(tx, SYSTEM, {
    action: before === null ? 'member.joined' : role === null ? 'member.removed' : 'member.role_changed',
    projectId,
    target: { type: 'user', id: userId, name },
    ...(before !== null && { before: { role: before } }),
    ...(role !== null && { after: { role } }),
  })
}

/**
 * Applies changed rules to the rights that users have from groups, because a user's groups are known
 * only at sign-in: a right whose rule is gone is removed, and a role whose rule has changed is
 * replaced. New rights are given at the next sign-in. The last admin becomes an admin without a
 * group.
 * @returns the ids of the projects in the rules that do not exist
 */
export async function applyGroupRules(
  { prisma }: PrismaDeps,
  rules: GroupRules,
): Promise<{ missingProjects: string[] }> {
  const users = await prisma.user.findMany({
    where: { OR: [{ adminGroup: { not: null } }, { memberships: { some: { groupName: { not: null } } } }] },
    select: { id: true },
  })
  for (const { id } of users) await prisma.$transaction((tx) => applyToUser(tx, rules, id))
  const ids = [...new Set(rules.roles.map((rule) => rule.projectId))]
  const found = await prisma.project.findMany({ where: { id: { in: ids }, deletedAt: null }, select: { id: true } })
  return { missingProjects: ids.filter((id) => !found.some((project) => project.id === id)) }
}

async function applyToUser(tx: Db, rules: GroupRules, userId: string): Promise<void> {
  // A sign-in takes the same lock, so it cannot change the rights after they are read.
  await lockAdmins(tx, null)
  const { adminGroup, memberships } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    include: { memberships: { where: { groupName: { not: null } } } },
  })
  const rights: GroupRights = {
    adminGroup: adminGroup !== null && rules.admins.includes(adminGroup) ? adminGroup : null,
    roles: memberships.flatMap(({ projectId, groupName }) =>
      rules.roles.filter((rule) => rule.group === groupName && rule.projectId === projectId),
    ),
  }
  const { isLastAdmin } = await writeGroupRights(tx, { userId, rights })
  if (!isLastAdmin) return
  // Only the last admin still has the group. It can no longer be removed by a sign-in.
  await tx.user.update({ where: { id: userId }, data: { adminGroup: null, isDirectAdmin: false } })
}
