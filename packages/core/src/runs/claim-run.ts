import { JobOptions, type JobPhase, type NewJobEvent, type RunPolicyFile, type RunSource } from '@corrigenda/contracts'
import { ZodError } from 'zod'
import { AppError } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { updateJob } from '../job-record/append-event.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import {
  hasAttemptLeft,
  type InterruptedPublish,
  type RunCounters,
  toInterruptedPublish,
  toRunCounters,
} from './attempt-counters.ts'
import { type Fence, RUNS } from './fence.ts'
import { FrozenPublish } from './freeze-run.ts'
import { type Earlier, readEarlier } from './read-earlier.ts'
import { toPolicyFiles, toRunSources } from './start-run.ts'
import { countWorkedTime } from './worked-time.ts'

/** A run claimed by this worker until the lease expires, with all data needed to process it. */
export interface Claim extends Fence {
  readonly projectId: string
  /** The worker that held the run until its lease expired, and its silence in ms. Null if none was lost. */
  readonly lost: { readonly worker: string; readonly silentMs: number } | null
  /** Time from the creation of the run to its first claim, in ms. */
  readonly waitedMs: number
  readonly prompt: string
  readonly model: string
  readonly repositoryUrl: string
  /** Requested base branch, or null for the repository's default branch. */
  readonly askedBaseBranch: string | null
  readonly options: JobOptions
  /** Set when the checkout is first prepared. A resumed run continues on the same base. */
  readonly base: { readonly branch: string; readonly commit: string } | null
  readonly frozen: FrozenPublish | null
  readonly counters: RunCounters
  /**
   * Null if the run may continue. Otherwise it has started opening its pull request but must end.
   * It completes if the pull request exists on the Git host, and ends without opening it otherwise.
   */
  readonly interruptedPublish: InterruptedPublish | null
  /** The project's settings at the run's first claim; see toRunSettings. */
  readonly settings: unknown
  /** The repository's policy files at the start of the run; empty before that. */
  readonly policyFiles: readonly RunPolicyFile[]
  /** The sources at the commits that the run reads. Null before they are pinned. */
  readonly sources: readonly RunSource[] | null
  /** Time spent on this run under earlier claims, in ms. */
  readonly workedMs: number
  /** The run's number within the job, starting at 1. */
  readonly seq: number
  /** Trace contexts of what started the run and of what created the job. Null without tracing. */
  readonly trace: { readonly run: string | null; readonly job: string | null }
  /** Context from the job's earlier runs, or null for the first run. */
  readonly earlier: Earlier | null
}

interface ClaimDeps extends PrismaDeps, ClaimRules {
  readonly leaseSeconds: number
  /** Called when a project is skipped because this version does not support one of its runs. */
  onUnsupported?(skipped: { readonly projectId: string; readonly reason: unknown }): void
}

export interface ClaimRules {
  readonly maxAttempts: number
  /** Maximum number of concurrent runs per project, across all workers. */
  readonly projectConcurrency: number
  /** Models that workers no longer offer, with the models that continue their jobs. */
  readonly replacedModels?: Readonly<Record<string, string>>
}

/**
 * Claims the next due run by adding an attempt and setting a new lease. Projects take turns. The
 * project with the fewest running jobs comes first. Ties go to the least recently served project.
 * Within a project, the oldest run comes first. Returns null when no run can start.
 *
 * Leaves a run with settings or options that this version does not support to workers of a newer
 * version. The run keeps its attempts.
 * @param input.runId restricts the claim to this run
 */
export function claimRun(deps: ClaimDeps, input: { owner: string; runId?: string }): Promise<Claim | null> {
  return deps.prisma.$transaction(async (tx) => {
    const skipped: string[] = []
    for (;;) {
      await tx.$executeRaw`SAVEPOINT claim`
      const next = await takeNext(tx, deps, { ...input, skipped })
      if (!next) return null
      const claim = (await isWithinLimit(tx, deps, next.projectId)) ? await readSupported(tx, deps, next) : null
      if (claim) return claim
      // Takes the attempt and the lease back. Other projects' runs can still be claimed.
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT claim`
      skipped.push(next.projectId)
    }
  })
}

interface Taken {
  readonly id: string
  readonly projectId: string
  /** Null unless the previous lease expired instead of being released. */
  readonly lostWorker: string | null
  readonly silentMs: number | null
}

/** Sets the lease of the next run of a project that is not skipped. */
async function takeNext(
  tx: Db,
  { maxAttempts, projectConcurrency, leaseSeconds }: ClaimDeps,
  { owner, runId, skipped }: { owner: string; runId?: string; skipped: readonly string[] },
): Promise<Taken | undefined> {
  const query: ClaimQuery = {
    with: Prisma.sql`running AS (
      SELECT project_id, count(*)::int AS n FROM runs WHERE active AND lease_until >= clock_timestamp() GROUP BY project_id
    )`,
    join: Prisma.sql`JOIN projects ON projects.id = runs.project_id LEFT JOIN running ON running.project_id = runs.project_id`,
    due: Prisma.sql`runs.active AND projects.deleted_at IS NULL AND runs.next_run_at <= clock_timestamp()
      AND ${hasAttemptLeft(maxAttempts)}
      AND coalesce(running.n, 0) < ${projectConcurrency}
      -- A run whose worker stopped responding may stop this one, too, so it stays alone with the
      -- runs that this worker had before.
      AND NOT EXISTS (SELECT FROM runs AS suspect WHERE suspect.active AND suspect.stalls > 0
        AND suspect.lease_owner = ${owner} AND suspect.lease_until >= clock_timestamp())
      AND runs.project_id <> ALL (${[...skipped]}::text[])
      AND (${runId ?? null}::text IS NULL OR runs.id = ${runId ?? null}::text)`,
    order: Prisma.sql`coalesce(running.n, 0), projects.last_claimed_at NULLS FIRST, runs.created_at, runs.id`,
    set: Prisma.sql`started_at = coalesce(started_at, clock_timestamp()),
      -- A crashed worker counts as working until its lease expires.
      worked_ms = worked_ms + coalesce(extract(epoch FROM lease_until - claimed_at) * 1000, 0)::int,
      claimed_at = clock_timestamp(),
      -- Pinned by the first claim, so that a resumed run keeps its settings.
      settings = coalesce(settings, (SELECT settings FROM projects WHERE projects.id = runs.project_id))`,
    // The run as it was before the claim. A released run has no lease.
    select: Prisma.sql`SELECT id, project_id AS "projectId",
      CASE WHEN lease_until IS NOT NULL THEN lease_owner END AS "lostWorker",
      (extract(epoch FROM clock_timestamp() - lease_until) * 1000)::int + ${leaseSeconds * 1000}::int AS "silentMs"
      FROM claimed JOIN runs USING (id)`,
  }
  const [next] = await claimNext<Taken>(tx, RUNS, query, { owner, leaseSeconds })
  return next
}

/**
 * Counts the project's runs, including the one just taken. Locks the project's row, so that its
 * claims are serialized and the count is exact.
 */
async function isWithinLimit(tx: Db, { projectConcurrency }: ClaimDeps, projectId: string): Promise<boolean> {
  await tx.$executeRaw`UPDATE projects SET last_claimed_at = clock_timestamp() WHERE id = ${projectId}`
  const [{ n }] = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n FROM runs
    WHERE project_id = ${projectId} AND active AND lease_until >= clock_timestamp()`
  return n <= projectConcurrency
}

/** Returns null for a run with stored values that this version does not support. */
async function readSupported(tx: Db, deps: ClaimDeps, taken: Taken): Promise<Claim | null> {
  try {
    return await readClaim(tx, deps, taken)
  } catch (reason) {
    if (!(reason instanceof ZodError || reason instanceof AppError)) throw reason
    deps.onUnsupported?.({ projectId: taken.projectId, reason })
    return null
  }
}

/** @throws ZodError or AppError for a stored value that this version does not support */
async function readClaim(tx: Db, deps: ClaimDeps, { id: runId, lostWorker, silentMs }: Taken): Promise<Claim> {
  const { job, ...run } = await tx.run.findUniqueOrThrow({ where: { id: runId }, include: { job: true } })
  toRunSettings(run.settings)
  const frozen = run.frozen === null ? null : FrozenPublish.parse(run.frozen)
  const startedAt = job.startedAt ?? new Date()
  const phase: JobPhase = frozen ? 'publishing' : 'preparing'
  const lost = lostWorker === null || silentMs === null ? null : { worker: lostWorker, silentMs }
  const { attempt } = run
  const event: NewJobEvent =
    attempt === 1
      ? { type: 'job.started', data: { attempt } }
      : { type: 'job.resumed', data: lost ? { attempt, silentMs: lost.silentMs } : { attempt } }
  const model = deps.replacedModels?.[job.model] ?? job.model
  await updateJob(tx, job.id, {
    set: Prisma.sql`phase = ${phase}::job_phase, started_at = ${startedAt}, model = ${model}, ${countWorkedTime(job.id)}`,
    events: [event],
  })
  return {
    runId: run.id,
    jobId: job.id,
    attempt,
    lost,
    projectId: job.projectId,
    waitedMs: Math.max(0, (run.startedAt ?? startedAt).getTime() - run.createdAt.getTime()),
    prompt: run.prompt,
    model,
    repositoryUrl: job.repositoryUrl,
    askedBaseBranch: job.baseBranch,
    options: JobOptions.parse(job.options),
    base: run.baseBranch && run.baseCommit ? { branch: run.baseBranch, commit: run.baseCommit } : null,
    frozen,
    counters: toRunCounters(run, deps.maxAttempts),
    interruptedPublish: toInterruptedPublish(run, deps.maxAttempts),
    settings: run.settings,
    policyFiles: toPolicyFiles(run.policyFiles),
    sources: toRunSources(run.sources),
    workedMs: run.workedMs,
    seq: run.seq,
    trace: { run: run.traceparent, job: job.traceparent },
    earlier: run.kind === 'message' ? await readEarlier(tx, job, run.seq) : null,
  }
}
