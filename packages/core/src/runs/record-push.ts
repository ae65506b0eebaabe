import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type RunChanges, upsertChanges } from '../job-record/save-changes.ts'
import type { Fence } from './fence.ts'
import { writeRun } from './write-run.ts'

/**
 * Records that the branch exists on the Git host and that its pull request will be opened next.
 * From then on, the job can be cancelled only after checking the Git host; see cancelJob.
 * @throws LostLeaseError also when the job was cancelled, in which case the pull request must not
 * be opened
 */
export async function recordPush(
  { prisma }: PrismaDeps,
  fence: Fence,
  {
    branch,
    commit,
    changes = null,
  }: {
    branch: string
    commit: string
    /** Changes of the commit, if it is not the frozen one. */
    changes?: RunChanges | null
  },
): Promise<void> {
  await writeRun(prisma, fence, {
    run: Prisma.sql`opening_at = coalesce(opening_at, clock_timestamp())`,
    job: Prisma.sql`head_commit = ${commit}`,
    events: [{ type: 'branch.pushed', data: { branch, commit } }],
    also: changes ? { changes: upsertChanges({ ...changes, headCommit: commit }) } : {},
  })
}
