import type { CheckResult } from '@corrigenda/contracts'
import { z } from 'zod'
import type { Database } from '../db/open-database.ts'
import { toStorable } from '../to-storable.ts'
import { appendEvent, type Fence, writeFenced } from './fence.ts'

/**
 * Everything the publish phase needs, decided once. Together with the run's files it gives the same commit id again, whoever repeats it.
 * `timestamp`: author and committer time in seconds since the epoch.
 */
export const FrozenPublish = z.object({
  branch: z.string(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  commit: z.string(),
  commitMessage: z.string(),
  timestamp: z.number().int(),
  title: z.string(),
  body: z.string(),
  draft: z.boolean(),
  labels: z.array(z.string()),
})
export type FrozenPublish = z.infer<typeof FrozenPublish>

/**
 * Ends the agent phase: from here on only what is frozen is published.
 * @throws LostLeaseError
 */
export function freezeRun(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: { publish: FrozenPublish; title: string; summary: string; checks: readonly CheckResult[] },
): Promise<void> {
  return writeFenced(deps, fence, async (tx) => {
    await tx.run.update({ where: { id: fence.runId }, data: { frozen: input.publish } })
    await tx.job.update({
      where: { id: fence.jobId },
      data: {
        ...toStorable({ title: input.title, summary: input.summary, checks: [...input.checks] }),
        phase: 'publishing',
        updatedAt: new Date(),
      },
    })
    await appendEvent(tx, fence.jobId, 'change.frozen', { commit: input.publish.commit })
  })
}
