import type { Role } from '@corrigenda/contracts'
import { SYSTEM } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db } from '../db/open-database.ts'

interface Rights {
  readonly name: string
  readonly isAdmin: boolean
  readonly roles: ReadonlyMap<string, Role>
}

export async function readRights(tx: Db, userId: string): Promise<Rights> {
  const { name, isAdmin, memberships } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { name: true, isAdmin: true, memberships: { select: { projectId: true, role: true } } },
  })
  return { name, isAdmin, roles: new Map(memberships.map(({ projectId, role }) => [projectId, role])) }
}

/** Records in the audit log how a user's rights differ from those before the groups were applied. */
export async function recordRights(tx: Db, userId: string, before: Rights): Promise<void> {
  const { name, isAdmin, roles } = await readRights(tx, userId)
  if (isAdmin !== before.isAdmin) {
    const action = isAdmin ? 'account.admin_granted' : 'account.admin_revoked'
    await recordAuditEvent(tx, SYSTEM, { action, target: { type: 'account', id: userId, name } })
  }
  const target = { type: 'user', id: userId, name }
  for (const projectId of new Set([...before.roles.keys(), ...roles.keys()])) {
    const [old = null, role = null] = [before.roles.get(projectId), roles.get(projectId)]
    if (old === role) continue
    const action = old === null ? 'member.joined' : role === null ? 'member.removed' : 'member.role_changed'
    await recordAuditEvent(tx, SYSTEM, {
      ...{ action, projectId, target },
      ...(old === null ? {} : { before: { role: old } }),
      ...(role === null ? {} : { after: { role } }),
    })
  }
}
