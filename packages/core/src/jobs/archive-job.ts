import type { AgentJob } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'

/**
 * Permanently archives a job that has ended. Idempotent.
 * @throws AppError `not_found`; `job_active` while the job is active
 */
export function archiveJob(
  { prisma, audit }: AuditedDeps,
  input: { projectId: string; id: string },
): Promise<AgentJob> {
  return prisma.$transaction(async (tx) => {
    // Locks the row first, so that a concurrent follow-up message waits.
    await tx.$queryRaw`SELECT 1 FROM jobs WHERE id = ${input.id} AND project_id = ${input.projectId} FOR UPDATE`
    const job = await tx.job.findFirst({ where: { id: input.id, projectId: input.projectId } })
    if (!job) throw new AppError('not_found', 'Not found.')
    if (job.status === 'archived') return toAgentJob(job)
    if (job.status === 'active') {
      throw new AppError('job_active', 'The job is active. Cancel it or wait until it ends, then archive it.')
    }
    await appendEvent(tx, job.id, { type: 'job.archived', data: {} })
    const now = new Date()
    const archived = await tx.job.update({
      where: { id: job.id },
      data: { status: 'archived', archivedAt: now, updatedAt: now },
    })
    const target = { type: 'job', id: job.id, name: null }
    await recordAuditEvent(tx, audit, { action: 'job.archived', projectId: job.projectId, target })
    await publishJobEvent(tx, { jobId: job.id, type: 'job.archived' })
    return toAgentJob(archived)
  })
}
