import type { Database, Db } from '../db/open-database.ts'
import { writeGroupRights } from './apply-group-rights.ts'
import type { GroupRights, GroupRules } from './group-rights.ts'
import { lockAdmins } from './lock-admins.ts'

/**
 * Applies changed rules to the rights that users have from groups, because a user's groups are known
 * only at sign-in: a right whose rule is gone is removed, and a role whose rule has changed is
 * replaced. New rights are given at the next sign-in. The last admin becomes an admin without a
 * group.
 * @returns the ids of the projects in the rules that do not exist
 */
export async function applyGroupRules(
  { prisma }: Pick<Database, 'prisma'>,
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
  const { adminGroup } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  const held = await tx.membership.findMany({ where: { userId, groupName: { not: null } } })
  const rights: GroupRights = {
    adminGroup: adminGroup !== null && rules.admins.includes(adminGroup) ? adminGroup : null,
    roles: held.flatMap(({ projectId, groupName }) =>
      rules.roles.filter((rule) => rule.group === groupName && rule.projectId === projectId),
    ),
  }
  await writeGroupRights(tx, { userId, rights })
  if (adminGroup === null || rights.adminGroup !== null) return
  // Only the last admin still has the group. It can no longer be removed by a sign-in.
  await tx.user.updateMany({
    where: { id: userId, adminGroup: { not: null } },
    data: { adminGroup: null, isDirectAdmin: false },
  })
}
