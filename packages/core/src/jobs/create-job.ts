import { createHash } from 'node:crypto'
import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import { AppError } from '../errors.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { newId } from '../new-id.ts'
import type { Log } from '../open-log.ts'
import type { RunQueue } from '../queue.ts'
import { countQuota, lockQuota, QuotaError, type QuotaLimit, type QuotaState } from './count-quota.ts'
import { toAgentJob } from './to-agent-job.ts'

export interface CreateJobDeps extends Pick<Database, 'prisma'> {
  readonly queue: Pick<RunQueue, 'enqueue'>
  readonly log: Log
  /** Model of jobs that name none. */
  readonly defaultModel: string
  readonly quota: QuotaLimit
}

export interface NewJob {
  readonly projectId: string
  readonly request: CreateAgentJobRequest
  readonly idempotencyKey: string | null
}

export interface CreatedJob {
  /** The job record as JSON text; a replay answers the same bytes again. */
  readonly body: string
  readonly replayed: boolean
  /** Null on a replay, which uses nothing. */
  readonly quota: QuotaState | null
}

/** How long the answer to an idempotency key is kept. */
export const IDEMPOTENCY_HOURS = 24

/**
 * Accepts a job: idempotency, quota and the row in one transaction, then the queue as a courtesy. The row is the truth; when the queue is
 * away the sweeper dispatches later.
 * @throws AppError `not_found`, `idempotency_in_flight`, `idempotency_mismatch`; QuotaError
 */
export async function createJob(deps: CreateJobDeps, input: NewJob): Promise<CreatedJob> {
  // Cheap refusal without the lock: uses only leave the window, so a full count cannot be wrong. A replay must not be refused, though.
  if (input.idempotencyKey === null) refuseWhenUsedUp(await countQuota(deps.prisma, input.projectId, deps.quota))
  const created = await deps.prisma.$transaction((tx) => insertJob(tx, deps, input))
  if (created.runId !== null) {
    const { runId } = created
    // Not awaited: the answer must not wait for the queue.
    deps.queue
      .enqueue(runId)
      .catch((error: Error) => deps.log.info({ runId, reason: error.message }, 'not queued yet; the sweeper will'))
  }
  return created
}

async function insertJob(tx: Db, deps: CreateJobDeps, input: NewJob): Promise<CreatedJob & { runId: string | null }> {
  const { projectId, request, idempotencyKey } = input
  const requestHash = createHash('sha256')
    .update(JSON.stringify(sorted(request)))
    .digest()
  if (idempotencyKey !== null) {
    const stored = await findStoredAnswer(tx, projectId, idempotencyKey, requestHash)
    if (stored !== null) return { body: stored, replayed: true, quota: null, runId: null }
  }
  await lockQuota(tx, projectId)
  const quota = refuseWhenUsedUp(await countQuota(tx, projectId, deps.quota))
  const project = await tx.project.findUnique({ where: { id: projectId } })
  if (!project) throw new AppError('not_found', 'Not found.')
  const { job, runId } = await insertRows(tx, project, request, deps.defaultModel)
  const body = JSON.stringify(toAgentJob(job))
  if (idempotencyKey !== null) {
    await tx.idempotencyKey.create({ data: { projectId, key: idempotencyKey, requestHash, response: body } })
  }
  return { body, replayed: false, quota: { ...quota, remaining: quota.remaining - 1 }, runId }
}

async function insertRows(
  tx: Db,
  project: { id: string; repositoryUrl: string; baseBranch: string | null },
  request: CreateAgentJobRequest,
  defaultModel: string,
): Promise<{ job: JobModel; runId: string }> {
  // The database's clock: quota windows of several API processes must agree.
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  const runId = newId('run', now.getTime())
  const { branch, title, draft, labels } = request
  const job = await tx.job.create({
    data: {
      id: newId('job', now.getTime()),
      projectId: project.id,
      repositoryUrl: project.repositoryUrl,
      baseBranch: request.ref ?? project.baseBranch,
      model: request.model ?? defaultModel,
      options: {
        ...(branch && { branch }),
        ...(title && { title }),
        ...(draft !== undefined && { draft }),
        ...(labels && { labels }),
      },
      metadata: request.metadata ?? {},
      lastEventSeq: 1,
      createdAt: now,
      updatedAt: now,
      events: { create: { seq: 1, type: 'job.created', createdAt: now } },
      runs: {
        create: {
          id: runId,
          projectId: project.id,
          seq: 1,
          kind: 'create',
          prompt: request.prompt,
          createdAt: now,
          nextRunAt: now,
        },
      },
    },
  })
  return { job, runId }
}

/** The stored answer of an earlier request with the same key, or null when the key is free. */
async function findStoredAnswer(tx: Db, projectId: string, key: string, requestHash: Buffer): Promise<string | null> {
  const [{ free }] = await tx.$queryRaw<[{ free: boolean }]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`idempotency:${projectId}:${key}`}, 0)) AS free`
  if (!free) {
    throw new AppError(
      'idempotency_in_flight',
      'A request with this Idempotency-Key is still running. Try again in a moment.',
      1,
    )
  }
  const stored = await tx.idempotencyKey.findUnique({ where: { projectId_key: { projectId, key } } })
  if (!stored) return null
  if (Date.now() - stored.createdAt.getTime() > IDEMPOTENCY_HOURS * 3_600_000) {
    await tx.idempotencyKey.delete({ where: { projectId_key: { projectId, key } } })
    return null
  }
  if (!requestHash.equals(stored.requestHash)) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
    )
  }
  return stored.response
}

function refuseWhenUsedUp(quota: QuotaState): QuotaState {
  if (quota.remaining === 0) throw new QuotaError(quota)
  return quota
}

/** The same content gives the same text, whatever the order of its fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!(value instanceof Object)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}
