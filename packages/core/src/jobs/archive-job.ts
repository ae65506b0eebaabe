import { type AgentJob, OUTCOME_STATUSES } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'

/**
 * Archives a job that has ended. Idempotent.
 * @throws AppError `not_found`; `job_active` while the job is active
 */
export function archiveJob(
  { prisma, audit }: AuditedDeps,
  input: { projectId: string; id: string },
): Promise<AgentJob> {
  return prisma.$transaction(async (tx) => {
    const job = await lockJob(tx, input)
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

/**
 * Returns an archived job to the status that it had when it ended. Has no effect on other jobs.
 * @throws AppError `not_found`
 */
export function unarchiveJob(
  { prisma, audit }: AuditedDeps,
  input: { projectId: string; id: string },
): Promise<AgentJob> {
  return prisma.$transaction(async (tx) => {
    const job = await lockJob(tx, input)
    if (job.status !== 'archived' || job.outcome === null) return toAgentJob(job)
    await appendEvent(tx, job.id, { type: 'job.unarchived', data: {} })
    const restored = await tx.job.update({
      where: { id: job.id },
      data: { status: OUTCOME_STATUSES[job.outcome], archivedAt: null, updatedAt: new Date() },
    })
    const target = { type: 'job', id: job.id, name: null }
    await recordAuditEvent(tx, audit, { action: 'job.unarchived', projectId: job.projectId, target })
    return toAgentJob(restored)
  })
}

/** Reads the job and locks its row, so that a concurrent follow-up message waits. */
async function lockJob(tx: Db, { id, projectId }: { projectId: string; id: string }) {
  await tx.$queryRaw`SELECT 1 FROM jobs WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
  const job = await tx.job.findFirst({ where: { id, projectId } })
  if (!job) throw new AppError('not_found', 'Not found.')
  return job
}
