import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * The branch stands on the Git host, and its pull request is opened next. From here on a job is not cancelled before somebody has looked at the
 * Git host: see cancelJob.
 * @throws LostLeaseError also when the job was cancelled: then no pull request may be opened
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
