import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'

/** A message that has not been delivered to a run. */
export interface PendingMessage {
  readonly id: string
  readonly prompt: string
}

/**
 * Creates the next run of a job from messages, inside the transaction that accepted them or ended
 * the previous run. The job is active afterwards. The caller must hold a lock on the job, so that
 * no other run can start.
 * @returns the id of the run, for the queue
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
      usageBefore: {
        ...{ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns },
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
      ...{ status: 'active', phase: 'queued', outcome: null, failureCode: null, failureMessage: null },
      ...{ prLink: null, finishedAt: null, updatedAt: now },
    },
  })
  await appendEvent(tx, jobId, { type: 'job.continued', data: { messages: messages.length } })
  return run.id
}

/**
 * Returns the undelivered messages of a job, oldest first. The result is stable while the caller
 * holds the job's active run.
 */
export async function listPendingMessages(tx: Db, jobId: string): Promise<PendingMessage[]> {
  return tx.jobMessage.findMany({
    where: { jobId, takenAt: null, droppedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, prompt: true },
  })
}

/**
 * Drops the messages that were sent before a cancel. A cancel also applies to them. Later messages
 * stay, because they were accepted: a cancel may wait for the Git host.
 * @param input.before time of the cancel request; null: now
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
