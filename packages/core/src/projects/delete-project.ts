import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import { Prisma } from '../generated/prisma/client.ts'

/**
 * Deletes a project. It is hidden at once: its keys are revoked, its active jobs and deployments
 * stop, and its stored secrets are removed. Workers then remove its other rows in batches; see
 * removeDeletedProjects. Data on the Git host is kept.
 * @param input.name the project's name, as confirmation
 * @throws AppError `not_found`; `invalid_request` when the name differs
 */
export async function deleteProject(
  { prisma, audit }: AuditedDeps,
  { projectId, name }: { projectId: string; name: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // Inserts of rows that reference the project wait for this lock and then fail.
    const [project] = await tx.$queryRaw<{ name: string }[]>`
      SELECT name FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR UPDATE`
    if (project === undefined) throw notFound()
    if (project.name !== name.trim()) {
      throw new AppError(
        'invalid_request',
        "This is not the project's name. Enter the exact name to delete the project.",
      )
    }
    // Recorded first, because a deleted project gets no new webhook events.
    await recordAuditEvent(tx, audit, {
      action: 'project.deleted',
      projectId,
      target: { type: 'project', id: projectId, name: project.name },
    })
    const now = new Date()
    await tx.project.update({ where: { id: projectId }, data: { deletedAt: now, deployTarget: Prisma.DbNull } })
    await tx.apiKey.updateMany({ where: { projectId, revokedAt: null }, data: { revokedAt: now } })
    await tx.gitCredential.deleteMany({ where: { projectId } })
    await tx.sourceCredential.deleteMany({ where: { projectId } })
    await tx.membership.deleteMany({ where: { projectId } })
    await tx.invitation.deleteMany({ where: { projectId } })
    // Deliveries to a disabled endpoint are not claimed.
    await tx.webhookEndpoint.updateMany({
      where: { projectId, disabledAt: null },
      data: { disabledAt: now, disabledReason: 'manual' },
    })
  })
}
