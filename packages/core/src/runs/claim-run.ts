import { z } from 'zod'
import type { Database } from '../db/open-database.ts'
import { appendEvent, type Fence } from './fence.ts'
import { FrozenPublish } from './freeze-run.ts'

/** Caller's wishes for the pull request. */
export const JobOptions = z.object({
  branch: z.string().optional(),
  title: z.string().optional(),
  draft: z.boolean().optional(),
  labels: z.array(z.string()).optional(),
})
export type JobOptions = z.infer<typeof JobOptions>

/** A run that this worker owns until its lease ends, with all it needs to work. */
export interface Claim extends Fence {
  readonly projectId: string
  readonly prompt: string
  readonly model: string
  readonly repositoryUrl: string
  /** Base branch that was asked for; null: the repository's default. */
  readonly askedBaseBranch: string | null
  readonly options: JobOptions
  /** Set once the checkout was first prepared; a resumed run edits the same text. */
  readonly base: { readonly branch: string; readonly commit: string } | null
  readonly frozen: FrozenPublish | null
  /** Claims so far that count, this one included: those given back in good order do not. */
  readonly attemptsUsed: number
  /** How often the run was given back: for a shutdown, or to wait for the model API or the Git host. */
  readonly handovers: number
  readonly cancelRequested: boolean
  /** Time that earlier claims of this run worked, in ms. */
  readonly workedMs: number
  readonly createdAt: Date
}

/**
 * Claims a run that nobody works on: one more attempt, a fresh lease. Null when there is nothing to do: another worker holds a live lease, the
 * run has ended, is not due, or has no attempts left.
 */
export async function claimRun(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number; maxAttempts: number },
  input: { runId: string; owner: string },
): Promise<Claim | null> {
  return deps.prisma.$transaction(async (tx) => {
    const claimed = await tx.$executeRaw`
      UPDATE runs SET attempt = attempt + 1, lease_owner = ${input.owner}, enqueued_at = NULL,
        lease_until = clock_timestamp() + make_interval(secs => ${deps.leaseSeconds}),
        started_at = coalesce(started_at, clock_timestamp()),
        -- A claim that was never given back worked until its lease ended, at the longest.
        worked_ms = worked_ms + coalesce(extract(epoch FROM lease_until - claimed_at) * 1000, 0)::int,
        claimed_at = clock_timestamp()
      WHERE id IN (
        -- A row that somebody holds is somebody's: do not wait for it.
        SELECT id FROM runs
        WHERE id = ${input.runId} AND active AND next_run_at <= clock_timestamp()
          AND (lease_until IS NULL OR lease_until < clock_timestamp())
          AND attempt - handovers < ${deps.maxAttempts}
        FOR UPDATE SKIP LOCKED
      )`
    if (claimed !== 1) return null
    const { job, ...run } = await tx.run.findUniqueOrThrow({ where: { id: input.runId }, include: { job: true } })
    const startedAt = job.startedAt ?? new Date()
    await tx.job.update({
      where: { id: job.id },
      data: { phase: run.frozen ? 'publishing' : 'preparing', startedAt, updatedAt: new Date() },
    })
    await appendEvent(tx, job.id, run.attempt === 1 ? 'job.started' : 'job.resumed', { attempt: run.attempt })
    return {
      runId: run.id,
      jobId: job.id,
      attempt: run.attempt,
      attemptsUsed: run.attempt - run.handovers,
      handovers: run.handovers,
      projectId: job.projectId,
      prompt: run.prompt,
      model: job.model,
      repositoryUrl: job.repositoryUrl,
      askedBaseBranch: job.baseBranch,
      options: JobOptions.parse(job.options),
      base: run.baseBranch && run.baseCommit ? { branch: run.baseBranch, commit: run.baseCommit } : null,
      frozen: run.frozen === null ? null : FrozenPublish.parse(run.frozen),
      cancelRequested: run.cancelRequestedAt !== null,
      workedMs: run.workedMs,
      createdAt: job.createdAt,
    }
  })
}
