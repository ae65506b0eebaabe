import {
  type AgentJob,
  type CreateAgentJobRequest,
  DOCS_SOURCE,
  type JobMetadata,
  type JobOptions,
  type ProjectPolicy,
} from '@corrigenda/contracts'
import pLimit, { type LimitFunction } from 'p-limit'
import type pg from 'pg'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { describeSpent } from '../budgets/describe-spent-budget.ts'
import { SPEND_COLUMNS, SPEND_TABLES, type SpendRow, toProjectSpend } from '../budgets/read-monthly-spend.ts'
import type { PoolDeps, PrismaDeps } from '../db/open-database.ts'
import { runSqlTransaction, type SqlTx } from '../db/run-transaction.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { countEvent } from '../metrics/count-event.ts'
import { refuseModel } from '../projects/refuse-model.ts'
import { type RunSettings, toRunSettings } from '../projects/run-settings.ts'
import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import { withSpan } from '../tracing/with-span.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { countQuota, type QuotaLimit, type QuotaState, quotaLock, refuseWhenUsedUp } from './count-quota.ts'
import { findStoredAnswer, type RepeatableRequest, storeAnswer } from './find-stored-answer.ts'
import { listKnownModels } from './list-known-models.ts'
import { refuseBranch, toAllowedBranches, toBranchError } from './to-allowed-branch.ts'
import { type ModelAliases, toModelId } from './to-model-id.ts'
import { DuplicateJobError, toPullRequestLimitError } from './unwanted-job.ts'

export interface CreateJobDeps extends PrismaDeps, PoolDeps {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly log: Log
  readonly quota: QuotaLimit
  /** Budget of the instance for each calendar month. Null or omitted: no budget. */
  readonly monthlyBudgetUsd?: number | null
  /** Models that jobs may use, including `defaultModel`. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
  /** Model for jobs that do not specify one. */
  readonly defaultModel: string
  /** Omitted: the instance has no aliases. */
  readonly modelAliases?: ModelAliases
}

interface CreateJobInput {
  readonly projectId: string
  readonly request: CreateAgentJobRequest
  readonly idempotencyKey: string | null
  /**
   * Without an idempotency key: a hash of the request. While the job is active, the same creator receives
   * it again for a request with the same hash.
   */
  readonly bodyHash?: string | null
  /** Id of the user or key that creates the job. */
  readonly createdBy?: string | null
  /** See `toAllowedBranch`. Default: a branch name that the project does not allow is rejected. */
  readonly adaptBranch?: boolean
}

export interface CreatedJob {
  /** The job as it was when the request was accepted. */
  readonly job: AgentJob
  readonly replayed: boolean
  /** Null on a replay, which uses no quota. */
  readonly quota: QuotaState | null
}

/**
 * Creates a job in a project, then wakes a worker.
 * @throws AppError `not_found`, `invalid_request`, `idempotency_mismatch`, `too_many_pull_requests`,
 * `monthly_budget_exceeded`, `too_many_requests`; DuplicateJobError; QuotaError. RolledBackError if the
 * database failed before the job was created
 */
export async function createJob(deps: CreateJobDeps & AuditedDeps, input: CreateJobInput): Promise<CreatedJob> {
  const { projectId, request, createdBy = null, adaptBranch = false } = input
  return insertJob(deps, {
    projectId,
    kind: 'create',
    createdBy,
    repeatable: toRepeatable(input),
    dedupe: request.dedupe,
    adaptBranch,
    // Only a model in the request can be wrong without the operator's knowledge.
    allowedModels: request.model === undefined ? (deps.allowedModels ?? null) : await listKnownModels(deps),
    toContent: (project) => toContent(deps, project, request),
  })
}

function toRepeatable(input: CreateJobInput): RepeatableRequest | null {
  const { projectId, request, idempotencyKey, bodyHash = null, createdBy = null } = input
  const operation = 'POST job'
  if (idempotencyKey !== null) return { projectId, key: idempotencyKey, operation, body: request }
  if (bodyHash === null) return null
  // The key of a client cannot start with a space.
  return { projectId, key: ` ${createdBy} ${bodyHash}`, operation, body: request, whileActive: true }
}

function toContent(
  { defaultModel, modelAliases = {} }: Pick<CreateJobDeps, 'defaultModel' | 'modelAliases'>,
  project: JobProject,
  request: CreateAgentJobRequest,
): JobContent {
  // Fields without a column are stored as options, so that no field is lost.
  const { prompt, model, ref, dedupe: _, asDraft, metadata = {}, ...given } = request
  const draft = given.draft ?? asDraft
  if (draft !== (asDraft ?? draft)) {
    throw new AppError(
      'invalid_request',
      '"draft" and its alias "asDraft" have different values. Send only one of them.',
    )
  }
  return {
    prompt,
    model: toModelId(modelAliases, model ?? project.settings.policy.model ?? defaultModel),
    baseBranch: ref ?? project.baseBranch,
    options: draft === undefined ? given : { ...given, draft },
    metadata,
    retryOf: null,
  }
}

/** A request for a new job, from an API request or from a job that is retried. */
interface NewJob {
  readonly projectId: string
  /** The quota that the job counts against. */
  readonly kind: 'create' | 'retry'
  readonly createdBy: string | null
  /** Null if the request cannot be repeated. */
  readonly repeatable: RepeatableRequest | null
  /** True to reject a duplicate of an active job; undefined to use the project's setting. */
  readonly dedupe?: boolean | undefined
  /** Changes the requested branch name to one that the project allows, instead of rejecting it. */
  readonly adaptBranch?: boolean
  /** Null: every model. */
  readonly allowedModels: readonly string[] | null
  /** Returns the content for the project's current settings, or throws the reason of a refusal. */
  readonly toContent: (project: JobProject) => JobContent
}

export interface JobContent {
  readonly prompt: string
  readonly model: string
  /** Base branch, or null for the repository's default branch. */
  readonly baseBranch: string | null
  readonly options: JobOptions
  readonly metadata: JobMetadata
  readonly retryOf: string | null
}

/** The facts about a project that a new job depends on. */
interface JobProject {
  readonly repositoryUrl: string
  readonly baseBranch: string | null
  readonly settings: RunSettings
  readonly spend: SpendRow
  /** Whether the project has webhook endpoints that are not disabled. */
  readonly hasEndpoints: boolean
  /** Time of the database. */
  readonly now: Date
}

type InsertJobDeps = Omit<CreateJobDeps, 'prisma' | 'defaultModel' | 'modelAliases' | 'allowedModels'> &
  Pick<AuditedDeps, 'audit'>

/** Checks the rules for a new job and inserts its rows in one transaction, then wakes a worker. */
export async function insertJob(deps: InsertJobDeps, wanted: NewJob): Promise<CreatedJob> {
  const { projectId } = wanted
  return withSpan('create_job', { kind: 'producer' }, async (span) => {
    const traceparent = span?.traceparent ?? null
    const accepted = await runInTurn(deps.pool, projectId, () =>
      runSqlTransaction(deps.pool, (tx) => insertRows(tx, deps, { ...wanted, traceparent })),
    )
    if (accepted.runId !== null) {
      span?.set({ 'corrigenda.project.id': projectId, 'corrigenda.run.id': accepted.runId })
      countEvent('corrigenda_jobs_created_total', { projectId })
    }
    return wakeForRun(deps, accepted)
  })
}

/** Result of the transaction that creates or continues a job. */
export interface AcceptedJob extends CreatedJob {
  /** Id of the new run that needs a worker, or null if no run was created. */
  readonly runId: string | null
}

/** The steps of a creation. A rule that fails throws, which rolls the transaction back. */
async function insertRows(
  tx: SqlTx,
  { audit, quota: limit, monthlyBudgetUsd = null }: InsertJobDeps,
  wanted: NewJob & { readonly traceparent: string | null },
): Promise<AcceptedJob> {
  const { projectId, kind, repeatable } = wanted
  // Sent together, and run one after the other: only the first one waits.
  const [project, stored, used] = await Promise.all([
    lockProject(tx, projectId),
    findStoredAnswer(tx, repeatable),
    countQuota(tx, projectId, limit, kind),
  ])
  if (stored !== null) return { job: stored, replayed: true, quota: null, runId: null }

  const { policy, sources } = project.settings
  const content = wanted.toContent(project)
  if (!wanted.adaptBranch) refuseBranch(content.options.branch, policy)
  refuseUnknownSources(content.options.sources, sources)
  refuseModel(content.model, wanted.allowedModels)
  const spent = describeSpent(toProjectSpend(project.spend, monthlyBudgetUsd))
  if (spent !== null) throw new AppError('monthly_budget_exceeded', spent)

  const quota = refuseWhenUsedUp(used)
  if (wanted.dedupe ?? policy.dedupe) await refuseDuplicate(tx, projectId, content)
  if (policy.maxOpenPullRequests !== null) await refusePullRequests(tx, projectId, policy.maxOpenPullRequests)
  const options = wanted.adaptBranch ? await adaptBranch(tx, projectId, content.options, policy) : content.options

  const { retryOf } = content
  const [id, runId] = [newId('job', project.now.getTime()), newId('run', project.now.getTime())]
  const [row] = await Promise.all([
    insertJobWithRun(tx, { ...wanted, ...content, options, project, id, runId }),
    recordAuditEvent(tx, audit, {
      action: kind === 'retry' ? 'job.retried' : 'job.created',
      projectId,
      target: { type: 'job', id, name: null },
      ...(retryOf === null ? {} : { after: { retryOf } }),
    }),
  ])
  const job = toAgentJob(row)
  if (project.hasEndpoints) await publishEvent(tx, { projectId, type: 'job.created', data: { job } })
  if (repeatable !== null) await storeAnswer(tx, repeatable, job)
  return { job, replayed: false, quota: { ...quota, remaining: quota.remaining - 1 }, runId }
}

const JOB_COLUMNS = Prisma.raw(toJobColumns('job'))

/**
 * Inserts the job, its first run, and its first event. They are created after the count of the quota,
 * whose window must not contain more jobs than the limit.
 */
async function insertJobWithRun(
  tx: SqlTx,
  job: NewJob & JobContent & { id: string; runId: string; project: JobProject; traceparent: string | null },
): Promise<AgentJobRow> {
  const { id, runId, projectId, project, kind, createdBy, traceparent, retryOf } = job
  const [row] = await tx.$queryRaw<[AgentJobRow]>`
    WITH job AS (
      INSERT INTO jobs (id, project_id, repository_url, base_branch, model, options, metadata, retry_of, created_by,
        created_by_name, last_event_seq, traceparent, created_at, updated_at)
      SELECT ${id}, ${projectId}, ${project.repositoryUrl}, ${job.baseBranch}, ${job.model},
        ${JSON.stringify(job.options)}::jsonb, ${JSON.stringify(job.metadata)}::jsonb, ${retryOf}, ${createdBy},
        coalesce((SELECT name FROM api_keys WHERE id = ${createdBy}), (SELECT name FROM users WHERE id = ${createdBy})),
        1, ${traceparent}, now, now
      FROM date_trunc('milliseconds', clock_timestamp()) AS now
      RETURNING *
    ), run AS (
      INSERT INTO runs (id, job_id, project_id, seq, kind, prompt, traceparent, created_at, next_run_at)
      SELECT ${runId}, id, project_id, 1, ${kind}::run_kind, ${job.prompt}, traceparent, created_at, created_at FROM job
    ), event AS (
      INSERT INTO job_events (job_id, seq, type, data, created_at)
      SELECT id, 1, 'job.created', ${JSON.stringify(retryOf === null ? {} : { retryOf })}::jsonb, created_at FROM job
    )
    SELECT ${JOB_COLUMNS} FROM job`
  return row
}

/**
 * Waits for other creations in the project, and reads the project. It cannot be deleted before the
 * transaction ends.
 * @throws AppError `not_found`
 */
async function lockProject(tx: SqlTx, projectId: string): Promise<JobProject> {
  const [row] = await tx.$queryRaw<(SpendRow & Omit<JobProject, 'settings' | 'spend'> & { settings: unknown })[]>`
    SELECT ${quotaLock(projectId)}, clock_timestamp() AS now, repository_url AS "repositoryUrl",
      base_branch AS "baseBranch", settings,
      EXISTS (SELECT FROM webhook_endpoints e WHERE e.project_id = projects.id AND e.disabled_at IS NULL) AS "hasEndpoints",
      ${SPEND_COLUMNS}
    FROM ${SPEND_TABLES} WHERE projects.id = ${projectId} AND projects.deleted_at IS NULL FOR KEY SHARE OF projects`
  if (row === undefined) throw new AppError('not_found', 'Not found.')
  const { now, repositoryUrl, baseBranch, hasEndpoints, settings, ...spend } = row
  return { now, repositoryUrl, baseBranch, hasEndpoints, settings: toRunSettings(settings), spend }
}

/** @throws AppError `invalid_request` that lists the names of the project's sources */
function refuseUnknownSources(asked: JobOptions['sources'], sources: RunSettings['sources']): void {
  const names = [DOCS_SOURCE, ...sources.map(({ name }) => name)]
  const unknown = asked?.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return
  throw new AppError(
    'invalid_request',
    `The project has no source "${unknown.name}". Its sources are ${names.join(', ')}. An owner can add sources in the project settings.`,
  )
}

/** @throws DuplicateJobError if an active job works on the same prompt and base branch */
async function refuseDuplicate(tx: SqlTx, projectId: string, { prompt, baseBranch }: JobContent): Promise<void> {
  // Follow-up runs have other prompts than their job's first one.
  const [duplicate] = await tx.$queryRaw<{ id: string }[]>`
    SELECT jobs.id FROM runs JOIN jobs ON jobs.id = runs.job_id
    WHERE runs.active AND runs.kind <> 'message' AND runs.project_id = ${projectId}
      AND jobs.base_branch IS NOT DISTINCT FROM ${baseBranch}
      AND regexp_replace(runs.prompt, '^\\s+|\\s+$', '', 'g') = regexp_replace(${prompt}, '^\\s+|\\s+$', '', 'g')
    ORDER BY jobs.id LIMIT 1`
  if (duplicate !== undefined) throw new DuplicateJobError(duplicate.id)
}

/** @throws AppError `too_many_pull_requests` */
async function refusePullRequests(tx: SqlTx, projectId: string, max: number): Promise<void> {
  // Active jobs without a pull request count as open ones, because they may open one at any time.
  const [{ open, reserved, urls }] = await tx.$queryRaw<[{ open: number; reserved: number; urls: string[] }]>`
    SELECT (SELECT count(*)::int FROM jobs WHERE project_id = ${projectId} AND pr_state = 'open') AS open,
      (SELECT count(*)::int FROM jobs WHERE project_id = ${projectId} AND status = 'active' AND pr_url IS NULL) AS reserved,
      ARRAY(SELECT pr_url FROM jobs WHERE project_id = ${projectId} AND pr_state = 'open' ORDER BY id LIMIT 5) AS urls`
  if (open + reserved >= max) throw toPullRequestLimitError({ max, open, reserved, urls })
}

/**
 * Returns the options with a branch name that the project allows and that no earlier job has requested.
 * @throws AppError `invalid_request` if every such name is too long
 */
async function adaptBranch(
  tx: SqlTx,
  projectId: string,
  options: JobOptions,
  policy: ProjectPolicy,
): Promise<JobOptions> {
  if (options.branch === undefined) return options
  const { name, other } = toAllowedBranches(options.branch, policy)
  const [used] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM jobs WHERE project_id = ${projectId} AND options ->> 'branch' = ${name} LIMIT 1`
  const branch = used === undefined ? name : other
  if (branch === null) throw toBranchError()
  return { ...options, branch }
}

interface Queues {
  readonly all: LimitFunction
  readonly ofProjects: Map<string, LimitFunction>
}

/** The queues of this process, for each connection pool. */
const queues = new WeakMap<pg.Pool, Queues>()
/** Maximum number of creations of a process, and of one project, that have a connection. */
const [MAX_RUNNING, MAX_RUNNING_OF_PROJECT] = [6, 2]
const MAX_WAITING = 1_000

/**
 * Runs few creations of a project at a time, in the order of their arrival. They wait for the same lock,
 * and each of them holds a connection meanwhile.
 * @throws AppError `too_many_requests` if too many creations wait
 */
async function runInTurn<T>(pool: pg.Pool, projectId: string, work: () => Promise<T>): Promise<T> {
  const { all, ofProjects } = queues.get(pool) ?? { all: pLimit(MAX_RUNNING), ofProjects: new Map() }
  queues.set(pool, { all, ofProjects })
  const ofProject: LimitFunction = ofProjects.get(projectId) ?? pLimit(MAX_RUNNING_OF_PROJECT)
  ofProjects.set(projectId, ofProject)
  if (ofProject.pendingCount >= MAX_WAITING) {
    throw new AppError('too_many_requests', 'Too many job requests are queued for this project. Try again.', 1)
  }
  try {
    return await ofProject(() => all(work))
  } finally {
    if (ofProject.activeCount + ofProject.pendingCount === 0) ofProjects.delete(projectId)
  }
}

/**
 * Wakes a worker for the new run after its transaction is committed. The response does not wait for
 * the queue. When the queue is unavailable, the sweeper wakes a worker later.
 */
export function wakeForRun(
  { queue, log }: Pick<CreateJobDeps, 'queue' | 'log'>,
  { runId, ...created }: AcceptedJob,
): CreatedJob {
  if (runId !== null) {
    queue.wakeWorker().catch((error: Error) => log.info({ runId, reason: error.message }, 'could not wake a worker'))
  }
  return created
}
