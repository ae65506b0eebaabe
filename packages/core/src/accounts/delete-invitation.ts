import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'

/**
 * Deletes an unused invitation.
 * @throws AppError `not_found`, including for used invitations and those of other projects
 */
export async function deleteInvitation(
  { prisma, audit }: AuditedDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.invitation.findFirst({ where: { id, projectId, usedAt: null } })
    const { count } = await tx.invitation.deleteMany({ where: { id, projectId, usedAt: null } })
    if (!found || count === 0) throw new AppError('not_found', 'Not found.')
    const { role, email } = found
    await recordAuditEvent(tx, audit, {
      ...{ action: 'invitation.revoked', projectId, target: { type: 'invitation', id, name: email } },
      before: { role, email },
    })
  })
}
