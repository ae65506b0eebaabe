import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { readClocks } from '@corrigenda/core/leases'
import { type Claim, claimRun, findWaitingRun } from '@corrigenda/core/runs'
import { findSpan, toErrorType } from '@corrigenda/core/tracing'
import { forProject } from '../git-host/for-project.ts'
import { cleanUpAfterCancel } from './clean-up-after-cancel.ts'
import { endRunAfter, takeStep } from './end-run-after.ts'
import { type HeldRun, holdRun } from './hold-run.ts'
import { toRetry } from './retry-policy.ts'
import { traceRun } from './trace-run.ts'
import { workOnRun } from './work-on-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Handles a wake-up: claims the next run and works on it. Never throws. Work that could not be
 * recorded is left to the next worker that claims the run.
 * @param lockLost aborts when the queue no longer assigns the wake-up to this worker
 */
export async function handleRun(deps: WorkerDeps, lockLost?: AbortSignal): Promise<void> {
  let claim: Claim | null = null
  // A process that is shutting down does not claim runs. The sweeper wakes another worker.
  if (deps.shutdown.aborted) return
  try {
    const claimedAt = readClocks()
    const onUnsupported = (skipped: { projectId: string; reason: unknown }) =>
      deps.log.warn({ projectId: skipped.projectId, err: skipped.reason }, 'project skipped: update this worker')
    claim = await claimRun({ ...deps, onUnsupported }, { owner: deps.owner })
    // Either other workers claimed the due runs, or the runs' projects are at their limit.
    if (!claim) return
    deps.onClaim?.(claim)
    await deps.onPoint('run.claimed', claim)
    const lease = holdRun(deps, claim, { claimedAt, lockLost })
    await traceRun(forProject(deps, claim.projectId), claim, (...run) => workUnderLease(...run, lease))
    await deps.onPoint('run.finished', claim)
  } catch (error) {
    logUnwritten(deps, claim, error)
    if (claim && error instanceof LostLeaseError) {
      await cleanUpAfterCancel(forProject(deps, claim.projectId), claim)
    }
  }
  if (claim) await wakeNext(deps, claim)
}

async function workUnderLease(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<void> {
  const { runId, jobId, attempt } = claim
  deps.log.info({ runId, jobId, attempt, projectId: claim.projectId, waitedMs: claim.waitedMs }, 'run claimed')
  try {
    const ending = await workOnRun(deps, claim, lease)
    findSpan()?.set({ 'corrigenda.run.ending': ending.kind === 'later' ? 'later' : ending.outcome.kind })
    const isLater = ending.kind === 'later'
    await takeStep(deps, claim, isLater ? toRetry(ending, claim) : { kind: 'finish', outcome: ending.outcome })
    deps.log.info({ runId, jobId, ending: isLater ? 'later' : ending.outcome.kind }, 'run attempt ended')
  } catch (error) {
    // The interrupted call may wrap or replace the abort reason.
    const reason: unknown = lease.signal.aborted ? lease.signal.reason : error
    findSpan()?.fail(toErrorType(reason))
    await endRunAfter(deps, claim, reason)
  } finally {
    lease.stop()
  }
}

function logUnwritten({ log }: WorkerDeps, claim: Claim | null, error: unknown): void {
  const fields = { runId: claim?.runId, jobId: claim?.jobId, attempt: claim?.attempt }
  if (error instanceof LostLeaseError) log.warn(fields, 'run lease lost; nothing written')
  else if (isConnectionError(error))
    log.error(fields, 'database unavailable; the run continues after its lease expires')
  else log.error({ ...fields, err: error }, 'run outcome not written; the run continues after its lease expires')
}

/**
 * Wakes a worker for the project's next waiting run, whose wake-up was consumed while the project
 * was at its concurrency limit.
 */
async function wakeNext(deps: WorkerDeps, claim: Claim): Promise<void> {
  if (deps.shutdown.aborted) return
  try {
    const next = await findWaitingRun(deps, claim.projectId)
    if (next !== null) await deps.queue.wakeWorker()
  } catch {
    deps.log.debug('no worker woken for the next run; left to the sweeper')
  }
}
