import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentJob } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db, PoolDeps } from '../db/open-database.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import type { RunQueue } from '../queue/queue.ts'
import { countEndedRun, type EndedRun } from '../runs/count-ended-run.ts'
import { endRun } from '../runs/finish-run.ts'
import { getJob } from './get-job.ts'

/**
 * Maximum time in ms that the response waits for a worker that has locked the run's row or is
 * opening the pull request.
 */
const WAIT_MS = 6_000
const POLL_MS = 100

interface CancelJobDeps extends AuditedDeps, PoolDeps {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  /** Called before the first wait. */
  onWait?(): void
}

/**
 * Ends an active job immediately, even while a worker holds it. The worker's later writes fail,
 * including the one that must precede opening a pull request (recordPush), so the worker cannot
 * open it. If that write has already succeeded, the response waits until this worker, or one that
 * takes over, has checked whether the pull request exists. No pull request is opened after a cancel
 * request has returned the job. Cancelling a cancelled job has no effect.
 * @throws AppError `not_found`; `job_ended` when the job ended with a different outcome;
 * `cancel_pending` when the Git host has not responded in time
 */
export async function cancelJob(deps: CancelJobDeps, input: { projectId: string; id: string }): Promise<AgentJob> {
  const until = Date.now() + WAIT_MS
  let step = await startCancel(deps, input)
  if (step.kind === 'asked' && !step.isWorkedOn) await deps.queue.wakeWorker().catch(() => {})
  if (step.kind !== 'ended') deps.onWait?.()
  while (step.kind !== 'ended' && Date.now() < until) {
    await sleep(POLL_MS)
    // Read before the job, so that a run that ends between the reads is found in the ended job.
    const run = await deps.prisma.run.findFirst({ where: { jobId: input.id, active: true }, select: { id: true } })
    const job = await getJob(deps, input)
    if (job.status !== 'active') return rejectUnlessCancelled(job)
    if (step.kind === 'missed') {
      // A follow-up has started that was requested before this request, so it is cancelled too.
      step = await startCancel(deps, input)
      continue
    }
    // Earlier messages were dropped when the run ended, so the follow-up was requested later.
    if (run && run.id !== step.runId) throw continued()
  }
  if (step.kind === 'ended') return step.job
  throw new AppError(
    'cancel_pending',
    'The job is opening its pull request, and the Git host has not responded yet. The job will be cancelled if no pull request was opened. Send the request again to get the outcome.',
    5,
  )
}

type Step =
  | { readonly kind: 'ended'; readonly job: AgentJob }
  | { readonly kind: 'asked'; readonly runId: string; readonly isWorkedOn: boolean }
  /** The job is active, but its run ended while this transaction waited for the run's row. */
  | { readonly kind: 'missed' }

async function startCancel(deps: AuditedDeps, input: { projectId: string; id: string }): Promise<Step> {
  const { step, ended } = await deps.prisma.$transaction((tx) => tryCancel(tx, deps, input))
  if (ended !== null) countEndedRun(ended)
  return step
}

async function tryCancel(
  tx: Db,
  { audit }: AuditedDeps,
  input: { projectId: string; id: string },
): Promise<{ step: Step; ended: EndedRun | null }> {
  const where = { id: input.id, projectId: input.projectId }
  // Bounds the wait for a row lock held by a suspended process.
  await tx.$executeRaw`SET LOCAL lock_timeout = '5s'`
  const [run] = await tx.$queryRaw<{ id: string; is_opening: boolean; is_worked_on: boolean; is_requested: boolean }[]>`
    SELECT id, opening_at IS NOT NULL AS is_opening, cancel_requested_at IS NOT NULL AS is_requested,
      (lease_until IS NOT NULL AND lease_until >= clock_timestamp()) AS is_worked_on
    FROM runs WHERE job_id = ${input.id} AND project_id = ${input.projectId} AND active FOR UPDATE`
  if (run && !run.is_requested) {
    const target = { type: 'job', id: input.id, name: null }
    await recordAuditEvent(tx, audit, { action: 'job.cancelled', projectId: input.projectId, target })
  }
  if (run?.is_opening) {
    await tx.$executeRaw`
      UPDATE runs SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
        next_run_at = least(next_run_at, clock_timestamp())
      WHERE id = ${run.id}`
    return { step: { kind: 'asked', runId: run.id, isWorkedOn: run.is_worked_on }, ended: null }
  }
  const ended = run ? await endRun(tx, { runId: run.id, jobId: input.id }, { kind: 'cancelled' }) : null
  const job = await tx.job.findFirst({ where })
  if (!job) throw new AppError('not_found', 'Not found.')
  if (job.status === 'active') return { step: { kind: 'missed' }, ended }
  return { step: { kind: 'ended', job: rejectUnlessCancelled(toAgentJob(job)) }, ended }
}

const continued = () =>
  new AppError(
    'job_ended',
    'The work that this request was for has ended, and the job continues with a later message. To cancel it, send the request again.',
  )

function rejectUnlessCancelled(job: AgentJob): AgentJob {
  if (job.outcome === 'cancelled') return job
  throw new AppError(
    'job_ended',
    `The job has already ended (${job.status}), so it cannot be cancelled. Read it to see its outcome.`,
  )
}
