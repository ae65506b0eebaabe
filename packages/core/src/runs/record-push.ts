import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * Records that the branch exists on the Git host and that its pull request will be opened next.
 * From then on, the job can be cancelled only after checking the Git host; see cancelJob.
 * @throws LostLeaseError also when the job was cancelled, in which case the pull request must not
 * be opened
 */
export function recordPush(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: { branch: string; commit: string },
): Promise<void> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    await tx.$executeRaw`UPDATE runs SET opening_at = coalesce(opening_at, clock_timestamp()) WHERE id = ${fence.runId}`
    await tx.job.update({ where: { id: fence.jobId }, data: { headCommit: input.commit, updatedAt: new Date() } })
    await appendEvent(tx, fence.jobId, { type: 'branch.pushed', data: { branch: input.branch, commit: input.commit } })
  })
}
