import type { Database, Db } from '../db/open-database.ts'
import type { GroupRights } from './group-rights.ts'
import { readRights, recordRights } from './record-rights.ts'
import { setGroupAdmin } from './set-group-admin.ts'
import { setGroupRole } from './set-group-role.ts'

/**
 * Gives a user exactly these rights from groups: adds new ones and removes earlier ones. Rights that
 * were given without a group are kept. Roles in projects that do not exist are ignored.
 * @returns isLastAdmin: true if the user keeps admin access only because there is no other admin
 */
export async function applyGroupRights(
  { prisma }: Pick<Database, 'prisma'>,
  input: { readonly userId: string; readonly rights: GroupRights },
): Promise<{ isLastAdmin: boolean }> {
  return prisma.$transaction((tx) => writeGroupRights(tx, input))
}

/** Does the work of `applyGroupRights` in a transaction. */
export async function writeGroupRights(
  tx: Db,
  { userId, rights }: { readonly userId: string; readonly rights: GroupRights },
): Promise<{ isLastAdmin: boolean }> {
  const rightsBefore = await readRights(tx, userId)
  const admin = await setGroupAdmin(tx, { userId, group: rights.adminGroup })
  const before = await tx.membership.findMany({ where: { userId, groupRole: { not: null } } })
  const wanted = new Map(rights.roles.map((one) => [one.projectId, one]))
  const ids = [...new Set([...before.map((one) => one.projectId), ...wanted.keys()])]
  // The lock prevents the deletion of a project before its membership is added. The fixed order
  // prevents deadlocks.
  const projects = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM projects WHERE id = ANY (${ids}) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`
  for (const { id: projectId } of projects) {
    await setGroupRole(tx, { projectId, userId }, wanted.get(projectId) ?? null)
  }
  await recordRights(tx, userId, rightsBefore)
  return admin
}
