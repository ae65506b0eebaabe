import type { JobWebhookPayload } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { insertEvent, listSubscribed } from '../webhook-events/publish-event.ts'

/**
 * Publishes a job event, with the job as the API currently returns it. Call it last in the
 * transaction that changes the job; see {@link publishEvent}.
 */
export async function publishJobEvent(
  tx: Db,
  input: { jobId: string; type: JobWebhookPayload['type'] },
): Promise<void> {
  const { jobId, type } = input
  const { projectId } = await tx.job.findUniqueOrThrow({ where: { id: jobId }, select: { projectId: true } })
  const endpoints = await listSubscribed(tx, { projectId, type })
  if (endpoints.length === 0) return
  const job = await tx.job.findUniqueOrThrow({ where: { id: jobId } })
  await insertEvent(tx, { projectId, type, data: { job: toAgentJob(job) } }, endpoints)
}
