import type { Role } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { lockMembers, type MemberKey } from './lock-member.ts'
import { toMemberTarget } from './update-member.ts'

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
      tx.user.findUnique({ where: { id: userId, isDemo: false }, select: { id: true } }),
    ])
    if (project === null || user === null) throw new AppError('not_found', 'Not found.')
    const known = await tx.membership.findUnique({ where: { projectId_userId: { projectId, userId } } })
    if (known !== null) return
    await tx.membership.create({ data: { projectId, userId, role } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'member.joined', projectId, target: await toMemberTarget(tx, userId) },
      after: { role },
    })
  })
}
