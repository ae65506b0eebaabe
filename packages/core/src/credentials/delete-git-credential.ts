import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'

/** Deletes a project's token, so that the instance's credential is used again. Idempotent. */
export async function deleteGitCredential({ prisma, audit }: AuditedDeps, projectId: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.gitCredential.findUnique({ where: { projectId }, select: { host: true } })
    const { count } = await tx.gitCredential.deleteMany({ where: { projectId } })
    if (!found || count === 0) return
    const target = { type: 'credential', id: projectId, name: found.host }
    await recordAuditEvent(tx, audit, { action: 'credential.deleted', projectId, target })
  })
}
