import { type Claim, finishRun, releaseRun, restartRun } from '@corrigenda/core/runs'
import { CANCEL_TIMEOUT_MS } from './clean-up-after-cancel.ts'
import { resolveInterruptedPublish } from './resolve-interrupted-publish.ts'
import { INTERNAL_ERROR, type NextStep, toNextStep } from './retry-policy.ts'
import type { WorkerDeps } from './worker-deps.ts'

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
