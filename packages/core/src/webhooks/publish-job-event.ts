import type { JobWebhookPayload } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'

/**
 * Publishes a job event, with the job as the API currently returns it. Call it last in the
 * transaction that changes the job; see {@link publishEvent}.
 */
export async function publishJobEvent(
  tx: Db,
  { jobId, type }: { jobId: string; type: JobWebhookPayload['type'] },
): Promise<void> {
  const job = await tx.job.findUniqueOrThrow({ where: { id: jobId } })
  await publishEvent(tx, { projectId: job.projectId, type, data: { job: toAgentJob(job) } })
}
