import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { findSpan } from '../tracing/with-span.ts'

/** A message that has not been delivered to a run. */
interface PendingMessage {
  readonly id: string
  readonly prompt: string
}

/**
 * Creates a job's next run from messages and makes the job active. Call it in the transaction that
 * accepted the messages or ended the previous run. The caller must hold a lock on the job, so that
 * no other run can start.
 * @returns the run's id
 */
export async function startFollowUp(
  tx: Db,
  jobId: string,
  messages: readonly PendingMessage[],
  options: { restarts?: number } = {},
): Promise<string> {
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  const job = await tx.job.findUniqueOrThrow({
    where: { id: jobId },
    include: { runs: { select: { seq: true }, orderBy: { seq: 'desc' }, take: 1 } },
  })
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, turns } = job
  const run = await tx.run.create({
    data: {
      id: newId('run', now.getTime()),
      jobId,
      projectId: job.projectId,
      seq: (job.runs[0]?.seq ?? 0) + 1,
      kind: 'message',
      prompt: messages.map(({ prompt }) => prompt).join('\n\n'),
      restarts: options.restarts ?? 0,
      traceparent: findSpan()?.traceparent ?? null,
      usageBefore: {
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
        turns,
        costUsd: costUsd === null ? null : costUsd.toNumber(),
      },
      createdAt: now,
      nextRunAt: now,
    },
  })
  await tx.jobMessage.updateMany({
    where: { id: { in: messages.map(({ id }) => id) } },
    data: { runId: run.id, takenAt: now },
  })
  await tx.job.update({
    where: { id: jobId },
    data: {
      status: 'active',
      phase: 'queued',
      outcome: null,
      failureCode: null,
      failureMessage: null,
      prLink: null,
      finishedAt: null,
      updatedAt: now,
    },
  })
  await appendEvent(tx, jobId, { type: 'job.continued', data: { messages: messages.length } })
  return run.id
}

/** Size of the messages to deliver at once, in bytes. The message that exceeds it is the last one. */
const MAX_BYTES = 1_048_576

/**
 * Returns a job's oldest undelivered messages, oldest first. The rest can be delivered later. The
 * result does not change while the caller holds a lock on the job's active run.
 */
export async function listPendingMessages(tx: Pick<Db, '$queryRaw'>, jobId: string): Promise<PendingMessage[]> {
  return tx.$queryRaw<PendingMessage[]>`
    SELECT id, prompt FROM (
      SELECT id, prompt, created_at,
        sum(octet_length(prompt)) OVER (ORDER BY created_at, id) - octet_length(prompt) AS bytes_before
      FROM job_messages WHERE job_id = ${jobId} AND taken_at IS NULL AND dropped_at IS NULL
    ) AS pending
    WHERE bytes_before < ${MAX_BYTES} ORDER BY created_at, id`
}

/**
 * Drops the messages sent before a cancel request, because the request also applies to them. Later
 * messages were accepted while the request was waiting for the Git host, so they are kept.
 * @param input.before time of the cancel request, or null to drop all undelivered messages
 */
export async function dropPendingMessages(
  tx: Db,
  jobId: string,
  input: { before: Date | null; now: Date },
): Promise<void> {
  const before = input.before === null ? {} : { createdAt: { lte: input.before } }
  await tx.jobMessage.updateMany({
    where: { jobId, takenAt: null, droppedAt: null, ...before },
    data: { droppedAt: input.now },
  })
}
