import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { updateJob } from '../job-record/append-event.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { countRelease } from './attempt-counters.ts'
import { type Fence, RUNS } from './fence.ts'
import { startFollowUp } from './start-follow-up.ts'
import { closeRun, countWorkedTime } from './worked-time.ts'

/**
 * Returns a run to the queue on shutdown, after an error, or for a long wait requested by the model
 * API or the Git host. Only a release after an error uses an attempt.
 * @param input.afterMs minimum delay in ms before the next claim, or null for no delay
 * @throws LostLeaseError
 */
export function releaseRun(
  deps: PrismaDeps,
  fence: Fence,
  input: { reason: 'shutdown' | 'waiting' | 'error'; afterMs: number | null },
): Promise<void> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    const { cancelRequestedAt } = await tx.run.findUniqueOrThrow({ where: { id: fence.runId } })
    // A pending cancel request overrides the delay that the Git host requested.
    const isAwaited = cancelRequestedAt !== null && input.reason !== 'error'
    const afterMs = isAwaited ? null : input.afterMs
    await releaseLease(
      tx,
      RUNS,
      fence,
      Prisma.sql`claimed_at = NULL,
        worked_ms = worked_ms + greatest(0, coalesce(extract(epoch FROM clock_timestamp() - claimed_at) * 1000, 0))::int,
        ${countRelease(input.reason)},
        next_run_at = coalesce(clock_timestamp() + make_interval(secs => ${afterMs}::float8 / 1000), next_run_at)`,
    )
    const { nextRunAt } = await tx.run.findUniqueOrThrow({ where: { id: fence.runId } })
    const notBefore = afterMs === null ? null : nextRunAt.toISOString()
    await updateJob(tx, fence.jobId, {
      set: Prisma.sql`phase = 'queued', ${countWorkedTime(fence.jobId)}`,
      events: [{ type: 'job.released', data: { reason: input.reason, notBefore } }],
    })
  })
}

/**
 * Replaces a follow-up run with a new run for the same messages. The new run starts from the
 * branch's newest commit, because users pushed to the branch while the agent was working. Their
 * commits are never overwritten.
 * @throws LostLeaseError
 */
export function restartRun(deps: PrismaDeps, fence: Fence): Promise<void> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    const { restarts } = await closeRun(tx, fence.runId, new Date())
    // Includes the messages delivered during the run.
    const delivered = await tx.jobMessage.findMany({
      where: { runId: fence.runId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { id: true, prompt: true },
    })
    await updateJob(tx, fence.jobId, {
      set: countWorkedTime(fence.jobId),
      events: [{ type: 'run.restarted', data: { reason: 'branch_moved' } }],
    })
    await startFollowUp(tx, fence.jobId, delivered, { restarts: restarts + 1 })
  })
}
