import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { removeJobs } from '../job-record/remove-jobs.ts'

/**
 * Deletes a job that has ended, with its runs, transcripts, events and changes. The pull request and
 * the branch stay as they are, and the pull request is no longer tracked. Deployments are kept.
 * @throws AppError `not_found`, also for a deleted job; `job_active` while the job is active
 */
export async function deleteJob(
  { prisma, audit }: AuditedDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // A concurrent follow-up message waits for this lock and then finds no job.
    const [job] = await tx.$queryRaw<{ status: string }[]>`
      SELECT status::text FROM jobs WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
    if (job === undefined) throw new AppError('not_found', 'Not found.')
    if (job.status === 'active') {
      throw new AppError('job_active', 'The job is active. Cancel it or wait until it ends, then delete it.')
    }
    await removeJobs(tx, [id])
    await recordAuditEvent(tx, audit, { action: 'job.deleted', projectId, target: { type: 'job', id, name: null } })
  })
}
