import type { Role } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { lockMembers, type MemberKey } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Sets or removes the role that a group gives to a user in an existing project. A role that was
 * given without a group is kept. Groups can leave a project without an owner, because admins own
 * every project.
 */
export async function setGroupRole(
  tx: Db,
  { projectId, userId }: MemberKey,
  given: { readonly group: string; readonly role: Role } | null,
): Promise<void> {
  await lockMembers(tx, projectId)
  const key = { projectId_userId: { projectId, userId } }
  const row = await tx.membership.findUnique({ where: key })
  const directRole = row && (row.groupRole === null ? row.role : row.directRole)
  if (given !== null) {
    const role = directRole === null || RANK.indexOf(given.role) < RANK.indexOf(directRole) ? given.role : directRole
    const data = { role, directRole, groupRole: given.role, groupName: given.group }
    await tx.membership.upsert({ where: key, create: { projectId, userId, ...data }, update: data })
    if (row?.role === 'owner' && role !== 'owner') await takeBackInvitations(tx, { userId, projectId })
    return
  }
  if (row === null || row.groupRole === null) return
  if (directRole === null) await tx.membership.delete({ where: key })
  else await tx.membership.update({ where: key, data: { role: directRole, ...NO_GROUP } })
  if (row.role === 'owner' && directRole !== 'owner') await takeBackInvitations(tx, { userId, projectId })
}

/** Highest role first. */
const RANK: readonly Role[] = ['owner', 'member', 'viewer']
const NO_GROUP = { directRole: null, groupRole: null, groupName: null }
