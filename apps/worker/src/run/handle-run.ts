import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { readClocks } from '@corrigenda/core/leases'
import {
  type Claim,
  claimRun,
  findFrozen,
  findWaitingRun,
  finishRun,
  releaseRun,
  restartRun,
} from '@corrigenda/core/runs'
import { findSpan, runInSpan, toErrorType, withSpan } from '@corrigenda/core/tracing'
import { forProject } from '../git-host/with-token.ts'
import { removeRunBranch } from '../publish/remove-branch.ts'
import { type HeldRun, holdRun } from './hold-run.ts'
import { prepareRun } from './prepare-run.ts'
import { resolveInterruptedPublish } from './resolve-interrupted-publish.ts'
import { INTERNAL_ERROR, type NextStep, toNextStep, toRetry } from './retry-policy.ts'
import { runAgentPhase } from './run-agent-phase.ts'
import type { RunEnding } from './run-failure.ts'
import { runPublishPhase } from './run-publish-phase.ts'
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

/**
 * Works on a run in a span of the trace that started the run, in whichever process that was. The run
 * of a follow-up links to the trace that created the job. The lines of the log contain the trace's id.
 */
export async function traceRun(
  deps: WorkerDeps,
  claim: Claim,
  work: (deps: WorkerDeps, claim: Claim) => Promise<void>,
): Promise<void> {
  if (!deps.tracer) return work(deps, claim)
  const { trace, jobId, runId, projectId, attempt } = claim
  const span = deps.tracer.start('run', {
    kind: 'consumer',
    parent: trace.run,
    links: trace.job === null || trace.job === trace.run ? [] : [trace.job],
    attributes: {
      ...{ 'corrigenda.job.id': jobId, 'corrigenda.run.id': runId, 'corrigenda.project.id': projectId },
      'corrigenda.run.attempt': attempt,
    },
  })
  await runInSpan(span, () => work({ ...deps, log: deps.log.child({ traceId: span.traceId }) }, claim))
}

/**
 * Works on a claimed run from checkout to pull request, starting where an earlier attempt stopped.
 * @throws any error from the work, which endRunAfter handles
 */
export async function workOnRun(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<RunEnding> {
  const { interruptedPublish } = claim
  if (interruptedPublish !== null) {
    const outcome = await resolveInterruptedPublish(deps, claim, interruptedPublish, lease.signal)
    return { kind: 'ended', outcome }
  }
  await using prepared = await withSpan('prepare', {}, () => prepareRun(deps, claim, lease.signal))
  const frozen = claim.frozen
    ? ({ kind: 'frozen', publish: claim.frozen, built: null } as const)
    : await runAgentPhase(deps, claim, prepared, lease.signal)
  if (frozen.kind !== 'frozen') return frozen
  return { kind: 'ended', outcome: await runPublishPhase(deps, claim, prepared, frozen, lease) }
}

/**
 * Ends, releases or restarts a run after its work threw `error`.
 * @throws LostLeaseError, database errors
 */
export async function endRunAfter(deps: WorkerDeps, claim: Claim, error: unknown): Promise<void> {
  const step = toNextStep(error, claim)
  logInterruption(deps, claim, { step, error })
  if (step.kind === 'abandon') throw error
  if (step.kind !== 'resolve_cancel') return takeStep(deps, claim, step)
  try {
    const signal = AbortSignal.any([deps.shutdown, AbortSignal.timeout(CANCEL_TIMEOUT_MS)])
    const outcome = await resolveInterruptedPublish(deps, claim, 'cancelled', signal)
    await takeStep(deps, claim, { kind: 'finish', outcome })
  } catch (failure) {
    // The Git host did not respond. The run is retried as after any other outage.
    await endRunAfter(deps, claim, failure)
  }
}

/** Records a run's next step: finishes, restarts or releases it. */
export async function takeStep(
  deps: WorkerDeps,
  claim: Claim,
  step: Exclude<NextStep, { kind: 'abandon' | 'resolve_cancel' }>,
): Promise<void> {
  const { runId, jobId } = claim
  switch (step.kind) {
    case 'finish':
      await deps.onPoint('run.finishing', claim)
      return finishRun(deps, claim, step.outcome)
    case 'restart':
      return restartRun(deps, claim)
    case 'release':
      deps.log.info({ runId, jobId, code: step.code, waitMs: step.afterMs }, 'run released for retry')
      return releaseRun(deps, claim, step)
    case 'hand_over':
      await releaseRun(deps, claim, { reason: 'shutdown', afterMs: null })
      // Lets another worker start now instead of after its next sweep.
      await deps.queue.wakeWorker().catch(() => deps.log.info({ runId }, 'no worker woken; left to the sweeper'))
  }
}

function logInterruption(
  { log }: WorkerDeps,
  { runId, jobId, attempt, counters }: Claim,
  { step, error }: { step: NextStep; error: unknown },
): void {
  const why = error instanceof Error ? error.message : 'unknown'
  const code = toCode(step)
  if (step.kind === 'hand_over' || step.kind === 'resolve_cancel') log.info({ runId, jobId, why }, 'run interrupted')
  if (step.kind === 'restart') {
    log.info(
      { runId, jobId, restarts: counters.restarts },
      'branch changed during the run; run restarted on the newest commit',
    )
  }
  if (code === INTERNAL_ERROR.code) log.error({ runId, jobId, attempt, err: error }, 'run failed unexpectedly')
  else if (step.kind === 'finish') log.info({ runId, jobId, code }, 'run failed')
}

function toCode(step: NextStep): string | null {
  if (step.kind === 'release') return step.code
  return step.kind === 'finish' && step.outcome.kind === 'failed' ? step.outcome.code : null
}

/** Maximum time for Git host calls after a cancellation, in ms. */
export const CANCEL_TIMEOUT_MS = 8_000

/**
 * Removes the branch of a run that was cancelled during its push. The branch is useless without a
 * pull request. Best effort: failures are logged.
 */
export async function cleanUpAfterCancel(deps: WorkerDeps, claim: Claim): Promise<void> {
  try {
    const frozen = await findFrozen(deps, claim.runId)
    if (frozen?.outcome === 'cancelled' && !frozen.isOpening) {
      await removeRunBranch(deps, claim, AbortSignal.timeout(CANCEL_TIMEOUT_MS))
    }
  } catch (error) {
    const { runId, jobId } = claim
    deps.log.warn({ runId, jobId, away: isConnectionError(error) }, 'branch lookup for a cancelled job failed')
  }
}
