import type { Database } from '../db/open-database.ts'
import { updateJob } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'
import { startFollowUp } from './start-follow-up.ts'
import { closeRun, countWorkedTime } from './worked-time.ts'

/**
 * Replaces a follow-up run with a new run for the same messages. The new run starts from the
 * branch's newest commit, because users pushed to the branch while the agent was working. Their
 * commits are never overwritten.
 * @throws LostLeaseError
 */
export function restartRun(deps: Pick<Database, 'prisma'>, fence: Fence): Promise<void> {
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
