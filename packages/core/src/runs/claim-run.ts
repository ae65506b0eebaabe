import { JobOptions, type JobPhase, type RunPolicyFile, type RunSource } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'
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
import { toPolicyFiles } from './policy-files.ts'
import { toRunSources } from './run-sources.ts'
import { countWorkedTime } from './worked-time.ts'

/** Follow-ups that a claim reads. The model's instructions contain fewer. */
const MAX_EARLIER_PROMPTS = 50

/** A run claimed by this worker until the lease expires, with all data needed to process it. */
export interface Claim extends Fence {
  readonly projectId: string
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

/** Maximum length of an earlier prompt. A follow-up's model receives less of it. */
const MAX_EARLIER = 20_000

/** Context that a follow-up continues from. */
export interface Earlier {
  /** The first prompt and the newest follow-ups, oldest first, each up to MAX_EARLIER characters. */
  readonly prompts: readonly string[]
  /** The agent's last summary. */
  readonly summary: string | null
  /**
   * The pushed branch and its pull request's base. Null if no branch was pushed, in which case the
   * follow-up starts like a first run.
   */
  readonly branch: {
    readonly name: string
    readonly base: string
    readonly baseCommit: string | null
    readonly pullNumber: number | null
    /** The repository's policy files when work on the branch started. */
    readonly policyFiles: readonly RunPolicyFile[]
  } | null
  /**
   * Commits that earlier runs may have pushed, but not recorded, before they were cancelled or
   * failed. A branch at one of these commits contains no work that must be kept.
   */
  readonly abandoned: readonly { readonly branch: string; readonly commit: string }[]
}

export interface ClaimDeps extends Pick<Database, 'prisma'>, ClaimRules {
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
export async function claimRun(deps: ClaimDeps, input: { owner: string; runId?: string }): Promise<Claim | null> {
  const skipped: string[] = []
  for (;;) {
    try {
      return await deps.prisma.$transaction((tx) => tryClaim(tx, deps, { ...input, skipped }))
    } catch (error) {
      if (!(error instanceof SkippedProjectError)) throw error
      skipped.push(error.projectId)
      if (error.cause !== undefined) deps.onUnsupported?.({ projectId: error.projectId, reason: error.cause })
    }
  }
}

/** Thrown to roll back a claim. Other projects' runs can still be claimed. */
class SkippedProjectError extends Error {
  /** @param cause present if this version does not support the run */
  constructor(
    readonly projectId: string,
    cause?: unknown,
  ) {
    super('the project is skipped', { cause })
    this.name = 'SkippedProjectError'
  }
}

async function tryClaim(
  tx: Db,
  deps: ClaimDeps,
  { owner, runId, skipped }: { owner: string; runId?: string; skipped: readonly string[] },
): Promise<Claim | null> {
  const { maxAttempts, projectConcurrency, leaseSeconds } = deps
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
    select: Prisma.sql`SELECT id, project_id FROM claimed JOIN runs USING (id)`,
  }
  const [next] = await claimNext<{ id: string; project_id: string }>(tx, RUNS, query, { owner, leaseSeconds })
  if (!next) return null
  const projectId = next.project_id
  // Locks the project's row, so that its claims are serialized and the count below is exact.
  await tx.$executeRaw`UPDATE projects SET last_claimed_at = clock_timestamp() WHERE id = ${projectId}`
  const [{ n }] = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n FROM runs
    WHERE project_id = ${projectId} AND active AND lease_until >= clock_timestamp()`
  if (n > projectConcurrency) throw new SkippedProjectError(projectId)
  return readClaim(tx, deps, next.id)
}

async function readClaim(tx: Db, deps: ClaimDeps, runId: string): Promise<Claim> {
  const { job, ...run } = await tx.run.findUniqueOrThrow({ where: { id: runId }, include: { job: true } })
  const stored = parseStored(run, job)
  const startedAt = job.startedAt ?? new Date()
  const phase: JobPhase = run.frozen ? 'publishing' : 'preparing'
  const type = run.attempt === 1 ? 'job.started' : 'job.resumed'
  const model = deps.replacedModels?.[job.model] ?? job.model
  await updateJob(tx, job.id, {
    set: Prisma.sql`phase = ${phase}::job_phase, started_at = ${startedAt}, model = ${model}, ${countWorkedTime(job.id)}`,
    events: [{ type, data: { attempt: run.attempt } }],
  })
  return {
    runId: run.id,
    jobId: job.id,
    attempt: run.attempt,
    projectId: job.projectId,
    waitedMs: Math.max(0, (run.startedAt ?? startedAt).getTime() - run.createdAt.getTime()),
    prompt: run.prompt,
    model,
    repositoryUrl: job.repositoryUrl,
    askedBaseBranch: job.baseBranch,
    options: stored.options,
    base: run.baseBranch && run.baseCommit ? { branch: run.baseBranch, commit: run.baseCommit } : null,
    frozen: stored.frozen,
    counters: toRunCounters(run, deps.maxAttempts),
    interruptedPublish: toInterruptedPublish(run, deps.maxAttempts),
    settings: run.settings,
    policyFiles: stored.policyFiles,
    sources: stored.sources,
    workedMs: run.workedMs,
    seq: run.seq,
    trace: { run: run.traceparent, job: job.traceparent },
    earlier: run.kind === 'message' ? await readEarlier(tx, job, run.seq) : null,
  }
}

function parseStored(run: RunModel, job: JobModel) {
  return parseSupported(job.projectId, () => {
    toRunSettings(run.settings)
    return {
      options: JobOptions.parse(job.options),
      frozen: run.frozen === null ? null : FrozenPublish.parse(run.frozen),
      policyFiles: toPolicyFiles(run.policyFiles),
      sources: toRunSources(run.sources),
    }
  })
}

/** @throws SkippedProjectError for values that this version does not support */
function parseSupported<T>(projectId: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new SkippedProjectError(projectId, error)
  }
}

async function readEarlier(tx: Db, job: JobModel, seq: number): Promise<Earlier> {
  const before = { jobId: job.id, seq: { lt: seq } }
  const prompts = await listEarlierPrompts(tx, job.id, seq)
  const pushed = await tx.run.findFirst({
    where: { ...before, frozen: { not: Prisma.DbNull }, openingAt: { not: null } },
    orderBy: { seq: 'desc' },
    select: { frozen: true },
  })
  const began =
    job.baseCommit === null
      ? null
      : await tx.run.findFirst({
          where: { ...before, baseCommit: job.baseCommit },
          orderBy: { seq: 'asc' },
          select: { policyFiles: true },
        })
  const stored = parseSupported(job.projectId, () => ({
    pushed: pushed === null ? null : FrozenPublish.parse(pushed.frozen),
    policyFiles: toPolicyFiles(began?.policyFiles),
  }))
  const branch =
    stored.pushed === null || job.headCommit === null
      ? null
      : {
          ...{ name: stored.pushed.branch, base: stored.pushed.baseBranch },
          ...{ baseCommit: job.baseCommit, pullNumber: job.prNumber, policyFiles: stored.policyFiles },
        }
  return {
    prompts,
    summary: job.summary,
    branch,
    abandoned: branch === null ? await listAbandoned(tx, job.id, seq) : [],
  }
}

/** Reads only two fields of each frozen change, which also contains the text of a pull request. */
function listAbandoned(tx: Db, jobId: string, seq: number): Promise<Earlier['abandoned'][number][]> {
  return tx.$queryRaw`
    SELECT frozen ->> 'branch' AS branch, frozen ->> 'commit' AS commit FROM runs
    WHERE job_id = ${jobId} AND seq < ${seq} AND frozen IS NOT NULL ORDER BY seq`
}

/**
 * Returns the first prompt and the newest messages before a run, oldest first. The database truncates
 * them.
 */
async function listEarlierPrompts(tx: Db, jobId: string, seq: number): Promise<string[]> {
  const first = await tx.$queryRaw<{ prompt: string }[]>`
    SELECT left(prompt, ${MAX_EARLIER}) AS prompt FROM runs
    WHERE job_id = ${jobId} AND seq < ${seq} AND kind <> 'message' ORDER BY seq LIMIT 1`
  const newest = await tx.$queryRaw<{ prompt: string }[]>`
    SELECT left(m.prompt, ${MAX_EARLIER}) AS prompt FROM job_messages m JOIN runs r ON r.id = m.run_id
    WHERE m.job_id = ${jobId} AND r.seq < ${seq}
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MAX_EARLIER_PROMPTS}`
  return [...first, ...newest.reverse()].map(({ prompt }) => prompt)
}
