import type { Database } from '../db/open-database.ts'
import { appendEvent, type Fence, writeFenced } from './fence.ts'

/**
 * Gives a run back in good order: on shutdown at once, or for a long wait that the model API or the Git host asked for. That uses no attempt;
 * after an error it does.
 * @throws LostLeaseError
 */
export function releaseRun(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: { reason: 'shutdown' | 'waiting' | 'error'; notBefore: Date | null },
): Promise<void> {
  return writeFenced(deps, fence, async (tx) => {
    const { claimedAt, cancelRequestedAt } = await tx.run.findUniqueOrThrow({ where: { id: fence.runId } })
    // Whoever waits for a cancel does not wait for what the Git host asked the job to wait for.
    const isAwaited = cancelRequestedAt !== null && input.reason !== 'error'
    const notBefore = isAwaited ? null : input.notBefore
    const workedMs = claimedAt === null ? 0 : Math.max(0, Date.now() - claimedAt.getTime())
    await tx.run.update({
      where: { id: fence.runId },
      data: {
        workedMs: { increment: workedMs },
        claimedAt: null,
        leaseUntil: null,
        leaseOwner: null,
        ...(input.reason === 'error' ? {} : { handovers: { increment: 1 } }),
        ...(notBefore === null ? {} : { nextRunAt: notBefore }),
      },
    })
    await tx.job.update({ where: { id: fence.jobId }, data: { phase: 'queued', updatedAt: new Date() } })
    await appendEvent(tx, fence.jobId, 'job.released', {
      reason: input.reason,
      notBefore: notBefore?.toISOString() ?? null,
    })
  })
}
