import type { SendMessageRequest } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { refuseOverBudget } from '../budgets/describe-spent-budget.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { runTransaction } from '../db/run-transaction.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import type { RunQueue } from '../queue/queue.ts'
import { startFollowUp } from '../runs/start-follow-up.ts'
import type { Log } from '../runtime/open-log.ts'
import { countQuota, type QuotaLimit, quotaLock, refuseWhenUsedUp } from './count-quota.ts'
import { type AcceptedJob, type CreatedJob, wakeForRun } from './create-job.ts'
import { findStoredAnswer, type RepeatableRequest, storeAnswer } from './find-stored-answer.ts'

interface SendMessageDeps extends PrismaDeps {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly log: Log
  readonly messageQuota: QuotaLimit
  /** Budget of the instance for each calendar month. Null or omitted: no budget. */
  readonly monthlyBudgetUsd?: number | null
}

interface NewMessage {
  readonly projectId: string
  readonly id: string
  readonly request: SendMessageRequest
  readonly idempotencyKey: string | null
  /** Id of the user or API key that sends the message. */
  readonly createdBy?: string | null
  /** Comments on the pull request that the message contains. Each is sent once. */
  readonly remarks?: readonly string[]
}

/** Maximum number of attempts when the job starts or ends between two reads. */
const TRIES = 10

/**
 * Sends a follow-up message to a job. If the job is active, the model receives the message before
 * its next turn, or in a separate run if the current run has no more turns. A job that has ended
 * becomes active again, on the same branch and pull request.
 * @throws AppError `not_found`; `job_archived`; `pull_request_closed`; `monthly_budget_exceeded`; QuotaError;
 * `idempotency_in_flight`, `idempotency_mismatch`. RolledBackError if the database failed before the
 * message was stored
 */
export async function sendMessage(deps: SendMessageDeps & AuditedDeps, input: NewMessage): Promise<CreatedJob> {
  for (let tries = 1; ; tries += 1) {
    const step = await runTransaction(deps.prisma, (tx) => trySend(tx, deps, input))
    if (step === 'again' && tries < TRIES) continue
    if (step === 'again') throw new AppError('service_unavailable', "The job's state is changing. Try again.", 1)
    return wakeForRun(deps, step)
  }
}

async function trySend(tx: Db, deps: SendMessageDeps & AuditedDeps, input: NewMessage): Promise<AcceptedJob | 'again'> {
  const { projectId, id, request, idempotencyKey, createdBy = null, remarks = [] } = input
  const where = { id, projectId }
  const known = await tx.job.findFirst({ where })
  if (!known) throw new AppError('not_found', 'Not found.')
  const repeatable: RepeatableRequest | null =
    idempotencyKey === null
      ? null
      : { projectId, key: idempotencyKey, operation: `POST job/${id}/message`, body: request }
  const stored = await findStoredAnswer(tx, repeatable)
  if (stored !== null) return { job: stored, replayed: true, quota: null, runId: null }
  rejectWhenClosed(known)
  await refuseOverBudget(tx, { projectId, instanceBudgetUsd: deps.monthlyBudgetUsd ?? null })
  // Bounds the wait for a row lock held by a suspended process.
  await tx.$executeRaw`SET LOCAL lock_timeout = '5s'`
  // Locks the run before the job, as all transactions do. Ending a run reads messages under this
  // lock.
  const [run] = await tx.$queryRaw<unknown[]>`SELECT 1 FROM runs WHERE job_id = ${id} AND active FOR UPDATE`
  // NO KEY UPDATE does not block a retry that references the job and already holds the quota lock.
  await tx.$executeRaw`SELECT 1 FROM jobs WHERE id = ${id} FOR NO KEY UPDATE`
  const job = await tx.job.findUniqueOrThrow({ where: { id } })
  rejectWhenClosed(job)
  if ((job.status === 'active') !== (run !== undefined)) return 'again'
  // Acquired last, because every job creation in the project waits for this lock.
  await tx.$queryRaw`SELECT ${quotaLock(projectId)}`
  const quota = refuseWhenUsedUp(await countQuota(tx, projectId, deps.messageQuota, 'message'))
  // Not before the count, whose window must not contain more messages than the limit.
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  const message = { id: newId('msg', now.getTime()), prompt: request.prompt }
  await tx.jobMessage.create({ data: { ...message, jobId: id, projectId, createdBy, createdAt: now } })
  const unsent = { jobId: id, id: { in: [...remarks] }, messageId: null }
  const { count } = await tx.pullRequestRemark.updateMany({ where: unsent, data: { messageId: message.id } })
  if (count < remarks.length) throw new AppError('idempotency_in_flight', 'The comments were already sent.')
  await appendEvent(tx, id, { type: 'message.received', data: { messageId: message.id } })
  await recordAuditEvent(tx, deps.audit, {
    action: 'job.message_sent',
    projectId,
    target: { type: 'job', id, name: null },
    after: { messageId: message.id },
  })
  const runId = run === undefined ? await startFollowUp(tx, id, [message]) : null
  const current = toAgentJob(await tx.job.update({ where: { id }, data: { updatedAt: now } }))
  if (repeatable !== null) await storeAnswer(tx, repeatable, current)
  return { job: current, replayed: false, quota: { ...quota, remaining: quota.remaining - 1 }, runId }
}

function rejectWhenClosed({ status, prState }: JobModel): void {
  if (status === 'archived') {
    throw new AppError('job_archived', 'The job is archived. Unarchive it first, or create a new job.')
  }
  if (prState === 'merged' || prState === 'closed') {
    throw new AppError('pull_request_closed', `The job's pull request is already ${prState}. Create a new job.`)
  }
}
