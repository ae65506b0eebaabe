import type { JobMetadata, JobOptions, NewJobEvent } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Database, Db } from '../db/open-database.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import {
  countQuota,
  lockQuota,
  type QuotaKind,
  type QuotaLimit,
  type QuotaState,
  refuseWhenUsedUp,
} from './count-quota.ts'
import { findStoredAnswer, type RepeatableRequest, storeAnswer } from './find-stored-answer.ts'
import { refuseUnwanted } from './refuse-unwanted.ts'

export interface AcceptJobDeps extends Pick<Database, 'prisma'> {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly log: Log
  readonly quota: QuotaLimit
}

/** What a new job is asked to do. */
export interface JobContent {
  readonly prompt: string
  readonly model: string
  /** Base branch; null: the repository's default. */
  readonly baseBranch: string | null
  readonly options: JobOptions
  readonly metadata: JobMetadata
  readonly retryOf: string | null
}

export interface Acceptance {
  readonly projectId: string
  /** Which bucket of the quota it uses. */
  readonly kind: Extract<QuotaKind, 'create' | 'retry'>
  /** Id of the person or of the key that asks. */
  readonly createdBy: string | null
  /** Null: the caller named no idempotency key. */
  readonly repeatable: RepeatableRequest | null
  /** Whether to refuse what is being worked on already; undefined: the project decides. */
  readonly dedupe?: boolean | undefined
  /** Says what the job shall do, or throws the refusal. A replay does not ask. */
  readonly getContent: (
    tx: Db,
    project: { readonly baseBranch: string | null; readonly settings: unknown },
  ) => JobContent | Promise<JobContent>
}

export interface CreatedJob {
  /** The job record as JSON text; a replay answers the same bytes again. */
  readonly body: string
  readonly replayed: boolean
  /** Null on a replay, which uses nothing. */
  readonly quota: QuotaState | null
}

/**
 * Accepts a job: idempotency, quota and the row in one transaction, then the queue as a courtesy. The row is the truth; when the queue is
 * away the sweeper dispatches later.
 * @throws AppError `not_found`, `idempotency_in_flight`, `idempotency_mismatch`, `too_many_pull_requests`; DuplicateJobError; QuotaError; what `getContent` throws
 */
export async function acceptJob(deps: AcceptJobDeps, input: Acceptance): Promise<CreatedJob> {
  const { runId, ...created } = await deps.prisma.$transaction((tx) => insertJob(tx, deps, input))
  if (runId !== null) {
    // Not awaited: the answer must not wait for the queue.
    deps.queue
      .wakeWorker()
      .catch((error: Error) => deps.log.info({ runId, reason: error.message }, 'no worker woken; the sweeper will'))
  }
  return created
}

async function insertJob(
  tx: Db,
  deps: AcceptJobDeps,
  { projectId, kind, createdBy, repeatable, dedupe, getContent }: Acceptance,
): Promise<CreatedJob & { runId: string | null }> {
  if (repeatable !== null) {
    const stored = await findStoredAnswer(tx, repeatable)
    if (stored !== null) return { body: stored, replayed: true, quota: null, runId: null }
  }
  const project = await tx.project.findUnique({ where: { id: projectId } })
  if (!project) throw new AppError('not_found', 'Not found.')
  const content = await getContent(tx, project)
  const { policy } = toRunSettings(project.settings)
  const { prompt, baseBranch } = content
  const { maxOpenPullRequests } = policy
  // As little as possible under the lock, which all creations of a project wait for.
  await lockQuota(tx, projectId)
  const quota = refuseWhenUsedUp(await countQuota(tx, projectId, deps.quota, kind))
  await refuseUnwanted(tx, { projectId, prompt, baseBranch, dedupe: dedupe ?? policy.dedupe, maxOpenPullRequests })
  const { job, runId } = await insertRows(tx, { project, kind, createdBy, content })
  const body = JSON.stringify(toAgentJob(job))
  if (repeatable !== null) await storeAnswer(tx, repeatable, body)
  await publishJobEvent(tx, { jobId: job.id, type: 'job.created' })
  return { body, replayed: false, quota: { ...quota, remaining: quota.remaining - 1 }, runId }
}

async function insertRows(
  tx: Db,
  input: {
    project: { id: string; repositoryUrl: string }
    kind: Acceptance['kind']
    createdBy: string | null
    content: JobContent
  },
): Promise<{ job: JobModel; runId: string }> {
  const { project, kind, createdBy, content } = input
  const { prompt, retryOf, ...wishes } = content
  // The database's clock: quota windows of several API processes must agree.
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
