import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'

/** Number of checks kept per project, including the new one. */
const KEPT = 20

/**
 * Requests a check of a project's connection to its repository. If a check is already in progress,
 * returns its id instead of creating another.
 * @returns the check's id
 * @throws AppError `not_found`
 */
export function createConnectionCheck({ prisma, audit }: AuditedDeps, projectId: string): Promise<string> {
  return prisma.$transaction(async (tx) => {
    const [project] = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR UPDATE`
    if (!project) throw new AppError('not_found', 'Not found.')
    const open = await tx.repositoryTest.findFirst({
      where: { projectId, status: { not: 'done' } },
      select: { id: true },
    })
    if (open) return open.id
    await tx.$executeRaw`
      DELETE FROM repository_tests WHERE project_id = ${projectId} AND id NOT IN (
        SELECT id FROM repository_tests WHERE project_id = ${projectId} ORDER BY created_at DESC, id DESC LIMIT ${KEPT - 1}
      )`
    const { id } = await tx.repositoryTest.create({ data: { id: newId('rpt'), projectId } })
    const target = { type: 'connection_check', id, name: null }
    await recordAuditEvent(tx, audit, { action: 'connection_check.started', projectId, target })
    return id
  })
}
