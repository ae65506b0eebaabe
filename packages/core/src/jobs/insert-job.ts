import type { JobMetadata, JobOptions, NewJobEvent, ProjectPolicy } from '@corrigenda/contracts'
import type { AuditContext } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { newId } from '../base/new-id.ts'
import { refuseOverBudget } from '../budgets/describe-spent-budget.ts'
import type { Db } from '../db/open-database.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import type { ProjectModel } from '../generated/prisma/models/Project.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { refuseModel } from '../projects/refuse-model.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import { countQuota, lockQuota, type QuotaKind, type QuotaLimit, refuseWhenUsedUp } from './count-quota.ts'
import type { AcceptedJob } from './created-job.ts'
import { type RepeatableRequest, storeAnswer } from './find-stored-answer.ts'
import { refuseUnknownSources } from './refuse-unknown-sources.ts'
import { refuseUnwanted } from './refuse-unwanted.ts'
import { refuseBranch, toAllowedBranch } from './to-allowed-branch.ts'

/** Content of a new job. */
export interface JobContent {
  readonly prompt: string
  readonly model: string
  /** Base branch, or null for the repository's default branch. */
  readonly baseBranch: string | null
  readonly options: JobOptions
  readonly metadata: JobMetadata
  readonly retryOf: string | null
}

export interface InsertJobInput {
  readonly project: ProjectModel
  readonly content: JobContent
  /** The quota that the job counts against. */
  readonly kind: Extract<QuotaKind, 'create' | 'retry'>
  /** Id of the user or key that creates the job. */
  readonly createdBy: string | null
  /** Null if the request has no idempotency key. */
  readonly repeatable: RepeatableRequest | null
  /** True to reject a duplicate of an active job; undefined to use the project's setting. */
  readonly dedupe?: boolean | undefined
  /** Changes the requested branch name to one that the project allows, instead of rejecting it. */
  readonly adaptBranch?: boolean
}

/** Limits of the service, and who creates the job. */
export interface JobLimits {
  readonly audit: AuditContext
  readonly quota: QuotaLimit
  readonly monthlyBudgetUsd?: number | null
  /** Models that jobs may use. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
}

/**
 * Inserts a job with its first run and its first event, and stores the response for repeated
 * requests. Call it in the transaction that looked for a stored response.
 * @throws AppError `too_many_pull_requests`, `monthly_budget_exceeded`, `invalid_request` for the
 * branch, the model or a source; DuplicateJobError; QuotaError
 */
export async function insertJob(tx: Db, limits: JobLimits, input: InsertJobInput): Promise<AcceptedJob> {
  const { project, kind, createdBy, repeatable, dedupe, adaptBranch = false } = input
  const { policy, sources } = toRunSettings(project.settings)
  const { prompt, baseBranch } = input.content
  if (!adaptBranch) refuseBranch(input.content.options.branch, policy)
  refuseUnknownSources(input.content.options.sources, sources)
  refuseModel(input.content.model, limits.allowedModels)
  const { maxOpenPullRequests } = policy
  await refuseOverBudget(tx, { projectId: project.id, instanceBudgetUsd: limits.monthlyBudgetUsd ?? null })
  // All job creations in a project wait for this lock, so it is acquired as late as possible.
  await lockQuota(tx, project.id)
  const quota = refuseWhenUsedUp(await countQuota(tx, project.id, limits.quota, kind))
  await refuseUnwanted(tx, {
    ...{ projectId: project.id, prompt, baseBranch, maxOpenPullRequests },
    dedupe: dedupe ?? policy.dedupe,
  })
  const content = adaptBranch ? await withAllowedBranch(tx, input, policy) : input.content
  const { job, runId } = await insertRows(tx, { project, kind, createdBy, content })
  const body = JSON.stringify(toAgentJob(job))
  if (repeatable !== null) await storeAnswer(tx, repeatable, body)
  const action = kind === 'retry' ? 'job.retried' : 'job.created'
  await recordAuditEvent(tx, limits.audit, {
    ...{ action, projectId: project.id, target: { type: 'job', id: job.id, name: null } },
    ...(content.retryOf === null ? {} : { after: { retryOf: content.retryOf } }),
  })
  await publishJobEvent(tx, { jobId: job.id, type: 'job.created' })
  return { body, replayed: false, quota: { ...quota, remaining: quota.remaining - 1 }, runId }
}

async function withAllowedBranch(
  tx: Db,
  { project, content }: InsertJobInput,
  policy: ProjectPolicy,
): Promise<JobContent> {
  const { branch } = content.options
  if (branch === undefined) return content
  const allowed = await toAllowedBranch(tx, { projectId: project.id, branch, policy })
  return { ...content, options: { ...content.options, branch: allowed } }
}

async function insertRows(
  tx: Db,
  input: Pick<InsertJobInput, 'project' | 'kind' | 'createdBy' | 'content'>,
): Promise<{ job: JobModel; runId: string }> {
  const { project, kind, createdBy, content } = input
  const { prompt, retryOf, ...wishes } = content
  // Uses the database clock, so that all API processes use the same quota windows.
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  const runId = newId('run', now.getTime())
  const created: NewJobEvent = { type: 'job.created', data: retryOf === null ? {} : { retryOf } }
  const job = await tx.job.create({
    data: {
      ...wishes,
      id: newId('job', now.getTime()),
      projectId: project.id,
      repositoryUrl: project.repositoryUrl,
      retryOf,
      createdBy,
      lastEventSeq: 1,
      createdAt: now,
      updatedAt: now,
      events: { create: { ...created, seq: 1, createdAt: now } },
      runs: {
        create: { id: runId, projectId: project.id, seq: 1, kind, prompt, createdAt: now, nextRunAt: now },
      },
    },
  })
  return { job, runId }
}
