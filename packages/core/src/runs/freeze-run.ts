import { type AgentJob, type CheckResult, Evidence } from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type RunChanges, upsertChanges } from '../job-record/save-changes.ts'
import type { Fence } from './fence.ts'
import { toJson, writeRun } from './write-run.ts'

/**
 * Pull request options other than branches and text. Frozen runs remain in the database during an
 * upgrade, so a new field needs a default.
 */
export const PullRequestSettings = z.object({
  draft: z.boolean(),
  labels: z.array(z.string()),
  /** Logins, or `organization/team` for teams. */
  reviewers: z.array(z.string()).default([]),
})
export type PullRequestSettings = z.infer<typeof PullRequestSettings>

/** Author and committer of commits whose account is unknown. The address cannot receive mail. */
export const UNKNOWN_AUTHOR = { name: 'Corrigenda', email: 'corrigenda@users.noreply.invalid' }

/**
 * Immutable input to the publish phase. Together with the run's files, it yields the same commit id
 * in every attempt. `timestamp` is the author and committer time in seconds since the epoch.
 */
export const FrozenPublish = z.object({
  branch: z.string(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  commit: z.string(),
  commitMessage: z.string(),
  timestamp: z.number().int(),
  /** Author and committer. */
  author: z.object({ name: z.string(), email: z.string() }).default(UNKNOWN_AUTHOR),
  /** Armored signature of the commit; null if it is not signed. */
  signature: z.string().nullable().default(null),
  title: z.string(),
  body: z.string(),
  ...PullRequestSettings.shape,
  /** Commit that the branch must point to before the push, or null if it must not exist yet. */
  expected: z.string().nullable().default(null),
  /**
   * Text to append to the job's existing pull request, or null to open a new pull request with
   * `title` and `body`.
   */
  section: z.string().nullable().default(null),
  /** Lines of the run's sources that support the change. */
  evidence: z.array(Evidence).optional(),
  /**
   * Names of the sources that the run has read, or whose recent changes the model has received.
   * Missing if an earlier version froze the run.
   */
  sourcesShown: z.array(z.string()).optional(),
})
export type FrozenPublish = z.infer<typeof FrozenPublish>

/**
 * Ends the agent phase. Afterwards, only the frozen content can be published.
 * @throws LostLeaseError
 */
export async function freezeRun(
  { prisma }: PrismaDeps,
  fence: Fence,
  input: {
    publish: FrozenPublish
    /** Null to keep the title of an earlier run's pull request. */
    title: string | null
    summary: string
    checks: readonly CheckResult[]
    /**
     * Expected changes in the pull request. Null if they cannot be determined, in which case the
     * stored changes are kept.
     */
    changes?: RunChanges | null
  },
): Promise<void> {
  const { evidence, ...publish } = input.publish
  const frozen = evidence === undefined ? publish : { ...publish, evidence: toStorable(evidence) }
  const { summary, checks, title } = toStorable({ summary: input.summary, checks: input.checks, title: input.title })
  const { commit } = publish
  await writeRun(prisma, fence, {
    run: Prisma.sql`frozen = ${toJson(frozen)}`,
    job: Prisma.join([
      Prisma.sql`phase = 'publishing', summary = ${summary}, checks = ${toJson(checks)}`,
      ...(title === null ? [] : [Prisma.sql`title = ${title}`]),
    ]),
    events: [{ type: 'change.frozen', data: { commit } }],
    also: input.changes ? { changes: upsertChanges({ ...input.changes, headCommit: commit }) } : {},
  })
}

interface FrozenRun {
  readonly publish: FrozenPublish
  /** True when a pull request may have been opened; see recordPush. */
  readonly isOpening: boolean
  /** The job's outcome, or null while it is active. */
  readonly outcome: AgentJob['outcome']
}

/** Returns the content that a run will publish, or null when its agent phase has not ended. */
export async function findFrozen({ prisma }: PrismaDeps, runId: string): Promise<FrozenRun | null> {
  const run = await prisma.run.findUnique({ where: { id: runId }, include: { job: { select: { outcome: true } } } })
  if (!run || run.frozen === null) return null
  return {
    publish: FrozenPublish.parse(run.frozen),
    isOpening: run.openingAt !== null,
    outcome: run.job.outcome,
  }
}
