import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { lockProject, toTarget } from './to-saved-prompt.ts'

/**
 * Deletes a saved prompt of a project.
 * @throws AppError `not_found`, also for another project's prompt
 */
export function deleteSavedPrompt(
  { prisma, audit }: AuditedDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    const row = await tx.savedPrompt.findFirst({ where: { id, projectId } })
    if (!row) throw new AppError('not_found', 'Not found.')
    await tx.savedPrompt.delete({ where: { id } })
    await recordAuditEvent(tx, audit, { action: 'saved_prompt.deleted', projectId, target: toTarget(row) })
  })
}
