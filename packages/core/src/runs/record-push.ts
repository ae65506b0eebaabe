import type { Database } from '../db/open-database.ts'
import { appendEvent, type Fence, writeFenced } from './fence.ts'

/** The branch stands on the Git host. @throws LostLeaseError */
export function recordPush(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: { branch: string; commit: string },
): Promise<void> {
  return writeFenced(deps, fence, async (tx) => {
    await tx.job.update({ where: { id: fence.jobId }, data: { headCommit: input.commit, updatedAt: new Date() } })
    await appendEvent(tx, fence.jobId, 'branch.pushed', { branch: input.branch, commit: input.commit })
  })
}
