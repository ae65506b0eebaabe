import type { CheckResult, FileChange } from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { saveChanges } from '../job-record/save-changes.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * Options of the pull request besides its branches and text. Frozen runs remain in the database
 * during an upgrade, so a new field needs a default.
 */
export const PullRequestSettings = z.object({
  draft: z.boolean(),
  labels: z.array(z.string()),
  /** Logins, and `organization/team` for teams. */
  reviewers: z.array(z.string()).default([]),
})
export type PullRequestSettings = z.infer<typeof PullRequestSettings>

/**
 * Input of the publish phase, decided once. Together with the files of the run it yields the same
 * commit id in every attempt. `timestamp`: author and committer time in seconds since the epoch.
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
  ...PullRequestSettings.shape,
  /** Commit at which the branch must be before the push; null: the branch must not exist yet. */
  expected: z.string().nullable().default(null),
  /**
   * Text that is appended to the job's existing pull request. Null: a new pull request is opened
   * with `title` and `body`.
   */
  section: z.string().nullable().default(null),
})
export type FrozenPublish = z.infer<typeof FrozenPublish>

/**
 * Ends the agent phase. After this only the frozen content is published.
 * @throws LostLeaseError
 */
export function freezeRun(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: {
    publish: FrozenPublish
    /** Null: the pull request of an earlier run keeps its title. */
    title: string | null
    summary: string
    checks: readonly CheckResult[]
    /**
     * Expected content of the pull request. Null when it cannot be determined: the stored changes
     * are then kept.
     */
    changes?: { readonly baseCommit: string; readonly files: readonly FileChange[] } | null
  },
): Promise<void> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    await tx.run.update({ where: { id: fence.runId }, data: { frozen: input.publish } })
    await tx.job.update({
      where: { id: fence.jobId },
      data: {
        ...toStorable({ summary: input.summary, checks: [...input.checks] }),
        ...(input.title === null ? {} : toStorable({ title: input.title })),
        phase: 'publishing',
        updatedAt: new Date(),
      },
    })
    if (input.changes) {
      await saveChanges(tx, { jobId: fence.jobId, ...input.changes, headCommit: input.publish.commit })
    }
    await appendEvent(tx, fence.jobId, { type: 'change.frozen', data: { commit: input.publish.commit } })
  })
}
