import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { type HoldDeps, readClocks } from '@corrigenda/core/leases'
import type { RunQueue } from '@corrigenda/core/queue'
import {
  type Claim,
  type ClaimRules,
  claimRun,
  findWaitingRun,
  finishRun,
  releaseRun,
  restartRun,
} from '@corrigenda/core/runs'
import { findSpan, runInSpan, type Tracer, toErrorType, withSpan } from '@corrigenda/core/tracing'
import { forProject } from '../git-host/git-access.ts'
import { type HeldRun, type HeldRuns, holdRun } from './hold-run.ts'
import { type PrepareDeps, prepareRun } from './prepare-run.ts'
import {
  CANCEL_TIMEOUT_MS,
  cleanUpAfterCancel,
  type ResolveDeps,
  resolveInterruptedPublish,
} from './resolve-interrupted-publish.ts'
import { INTERNAL_ERROR, type NextStep, toNextStep, toRetry } from './retry-policy.ts'
import { type AgentPhaseDeps, runAgentPhase } from './run-agent-phase.ts'
import type { RunEnding } from './run-failure.ts'
import { runPublishPhase } from './run-publish-phase.ts'

/** What a worker needs to claim runs and to work on them. */
export interface RunDeps extends ClaimRules, HoldDeps, PrepareDeps, AgentPhaseDeps, ResolveDeps {
  readonly queue: RunQueue
  /** Name of this process in leases. */
  readonly owner: string
  /** Runs that this process holds, watched for cancellations. */
  readonly held: HeldRuns
  /** Called with each claim, for the metrics. */
  readonly onClaim?: (claim: Claim) => void
  /** Null or omitted: no traces are recorded. */
  readonly tracer?: Tracer | null
}

/**
 * Handles a wake-up: claims the next run and works on it. Never throws. Work that could not be
 * recorded is left to the next worker that claims the run.
 * @param lockLost aborts when the queue no longer assigns the wake-up to this worker
 */
export async function handleRun(deps: RunDeps, lockLost?: AbortSignal): Promise<void> {
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
    const { runId, jobId, attempt, lost } = claim
    if (lost) deps.log.warn({ runId, jobId, attempt, ...lost }, 'run taken over from a lost worker')
    await deps.onPoint('run.claimed', claim)
    const lease = holdRun(deps, claim, { claimedAt, lockLost })
    await workInTrace(forProject(deps, claim.projectId), claim, lease)
    await deps.onPoint('run.finished', claim)
  } catch (error) {
    const fields = { runId: claim?.runId, jobId: claim?.jobId, attempt: claim?.attempt }
    if (error instanceof LostLeaseError) deps.log.warn(fields, 'run lease lost; nothing written')
    else if (isConnectionError(error))
      deps.log.error(fields, 'database unavailable; the run continues after its lease expires')
    else deps.log.error({ ...fields, err: error }, 'run outcome not written; the run continues after its lease expires')
    if (claim && error instanceof LostLeaseError) {
      await cleanUpAfterCancel(forProject(deps, claim.projectId), claim)
    }
  }
  if (claim) await wakeNext(deps, claim)
}

/**
 * Works on a run in a span of the trace that started the run, in whichever process that was. The run
 * of a follow-up links to the trace that created the job. The lines of the log contain the trace's id.
 */
async function workInTrace(deps: RunDeps, claim: Claim, lease: HeldRun): Promise<void> {
  if (!deps.tracer) return workUnderLease(deps, claim, lease)
  const { trace, jobId, runId, projectId, attempt } = claim
  const span = deps.tracer.start('run', {
    kind: 'consumer',
    parent: trace.run,
    links: trace.job === null || trace.job === trace.run ? [] : [trace.job],
    attributes: {
      'corrigenda.job.id': jobId,
      'corrigenda.run.id': runId,
      'corrigenda.project.id': projectId,
      'corrigenda.run.attempt': attempt,
    },
  })
  const log = deps.log.child({ traceId: span.traceId })
  await runInSpan(span, () => workUnderLease({ ...deps, log }, claim, lease))
}

async function workUnderLease(deps: RunDeps, claim: Claim, lease: HeldRun): Promise<void> {
  const { runId, jobId, attempt } = claim
  deps.log.info({ runId, jobId, attempt, projectId: claim.projectId, waitedMs: claim.waitedMs }, 'run claimed')
  try {
    const ending = await workOnRun(deps, claim, lease)
    const kind = ending.kind === 'later' ? 'later' : ending.outcome.kind
    findSpan()?.set({ 'corrigenda.run.ending': kind })
    const step = ending.kind === 'later' ? toRetry(ending, claim) : { kind: 'finish' as const, outcome: ending.outcome }
    await takeStep(deps, claim, step)
    deps.log.info({ runId, jobId, ending: kind }, 'run attempt ended')
  } catch (error) {
    // The interrupted call may wrap or replace the abort reason.
    const reason: unknown = lease.signal.aborted ? lease.signal.reason : error
    findSpan()?.fail(toErrorType(reason))
    await endRunAfter(deps, claim, reason)
  } finally {
    lease.stop()
  }
}

/**
 * Works on a claimed run from checkout to pull request, starting where an earlier attempt stopped.
 * @throws any error from the work, which endRunAfter handles
 */
async function workOnRun(deps: RunDeps, claim: Claim, lease: HeldRun): Promise<RunEnding> {
  const { interruptedPublish } = claim
  if (interruptedPublish !== null) {
    const outcome = await resolveInterruptedPublish(deps, claim, interruptedPublish, lease.signal)
    return { kind: 'ended', outcome }
  }
  await using prepared = await withSpan('prepare', {}, () => prepareRun(deps, claim, lease.signal))
  const frozen = claim.frozen
    ? ({ kind: 'frozen', publish: claim.frozen, built: null } as const)
    : await runAgentPhase(deps, prepared)
  if (frozen.kind !== 'frozen') return frozen
  return { kind: 'ended', outcome: await runPublishPhase(deps, prepared, frozen, lease) }
}

/**
 * Ends, releases or restarts a run after its work threw `error`.
 * @throws LostLeaseError, database errors
 */
async function endRunAfter(deps: RunDeps, claim: Claim, error: unknown): Promise<void> {
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
async function takeStep(
  deps: RunDeps,
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
      deps.log.info({ runId, jobId }, 'run given back')
      // Lets another worker start now instead of after its next sweep.
      await deps.queue.wakeWorker().catch(() => deps.log.info({ runId }, 'no worker woken; left to the sweeper'))
  }
}

function logInterruption(
  { log }: RunDeps,
  { runId, jobId, attempt, counters }: Claim,
  { step, error }: { step: NextStep; error: unknown },
): void {
  const isFailed = step.kind === 'finish' && step.outcome.kind === 'failed'
  const code = step.kind === 'release' ? step.code : isFailed ? step.outcome.code : null
  if (step.kind === 'hand_over' || step.kind === 'resolve_cancel') {
    log.info({ runId, jobId, why: error instanceof Error ? error.message : 'unknown' }, 'run interrupted')
  } else if (step.kind === 'restart') {
    const { restarts } = counters
    log.info({ runId, jobId, restarts }, 'branch changed during the run; run restarted on the newest commit')
  } else if (code === INTERNAL_ERROR.code) {
    log.error({ runId, jobId, attempt, err: error }, 'run failed unexpectedly')
  } else if (step.kind === 'finish') log.info({ runId, jobId, code }, 'run failed')
}

/**
 * Wakes a worker for the project's next waiting run, whose wake-up was consumed while the project
 * was at its concurrency limit.
 */
async function wakeNext(deps: RunDeps, claim: Claim): Promise<void> {
  if (deps.shutdown.aborted) return
  try {
    const next = await findWaitingRun(deps, claim.projectId)
    if (next !== null) await deps.queue.wakeWorker()
  } catch {
    deps.log.debug('no worker woken for the next run; left to the sweeper')
  }
}
