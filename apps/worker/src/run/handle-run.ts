import { type Claim, claimRun, finishRun, isConnectionError, LostLeaseError, releaseRun } from '@corrigenda/core'
import { holdLease, Interrupted } from './hold-lease.ts'
import { RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'
import { workOnRun } from './work-on-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Waits that nobody named: 5 s, 10 s, 20 s, … at most 5 min. */
const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000
/** A wait that was asked for is honoured up to an hour at a time. */
const MAX_ASKED_WAIT_MS = 3_600_000
/** Failures are tried again this often before the job fails: by then the other side has been away for a while, or the mistake is ours. */
const MAX_FAILURES = 5
/** No job is given back more often than this and goes on waiting: the host that always says "later" must come to an end. */
const MAX_HANDOVERS = 24

/** A queue delivery: claim the run and bring it as far as possible. Never throws; what is not written stays for a successor. */
export async function handleRun(deps: WorkerDeps, runId: string): Promise<void> {
  let claim: Claim | null = null
  // A process that ends takes nothing new; the entry is another worker's, by the sweeper.
  if (deps.shutdown.aborted) return
  try {
    claim = await claimRun(deps, { runId, owner: deps.owner })
    // Another worker holds it, or it has ended: the delivery has nothing to do.
    if (!claim) return
    await workUnderLease(deps, claim)
  } catch (error) {
    const fields = { runId, jobId: claim?.jobId, attempt: claim?.attempt }
    if (error instanceof LostLeaseError) deps.log.warn(fields, 'lost the run to another worker; wrote nothing')
    else if (isConnectionError(error)) deps.log.error(fields, 'database away; the run continues when its lease ends')
    else
      deps.log.error(
        { ...fields, err: error },
        'the end of a run could not be written; it continues when its lease ends',
      )
  }
}

async function workUnderLease(deps: WorkerDeps, claim: Claim): Promise<void> {
  const lease = holdLease(deps, claim)
  const { runId, jobId, attempt } = claim
  deps.log.info({ runId, jobId, attempt, projectId: claim.projectId }, 'run claimed')
  try {
    if (claim.cancelRequested) throw new Interrupted('cancelled')
    const ending = await workOnRun(deps, claim, lease.signal)
    if (ending.kind === 'later') await waitOrFail(deps, claim, ending)
    else await finishRun(deps, claim, ending.outcome)
    deps.log.info({ runId, jobId, ending: ending.kind === 'ended' ? ending.outcome.kind : 'later' }, 'run worked on')
  } catch (error) {
    // An abort surfaces as whatever the interrupted call made of it.
    await endRunAfter(deps, claim, lease.signal.aborted ? lease.signal.reason : error)
  } finally {
    lease.stop()
  }
}

/** What becomes of a run after its work threw. */
async function endRunAfter(deps: WorkerDeps, claim: Claim, error: unknown): Promise<void> {
  const { runId, jobId, attempt } = claim
  if (error instanceof LostLeaseError || isConnectionError(error)) throw error
  if (error instanceof Interrupted) {
    deps.log.info({ runId, jobId, why: error.why }, 'run interrupted')
    if (error.why === 'cancelled') await finishRun(deps, claim, { kind: 'cancelled' })
    if (error.why === 'shutdown') {
      await releaseRun(deps, claim, { reason: 'shutdown', notBefore: null })
      // A courtesy to the caller: another worker starts now and not at its next sweep.
      await deps.queue.enqueue(runId, attempt + 1).catch(() => deps.log.info({ runId }, 'not queued; the sweeper will'))
    }
    return
  }
  if (error instanceof RunFailure) {
    deps.log.info({ runId, jobId, code: error.code }, 'run failed')
    await finishRun(deps, claim, { kind: 'failed', code: error.code, message: error.message, checks: error.checks })
    return
  }
  const end = toRunEnd(error)
  if (end?.kind === 'failed') {
    deps.log.info({ runId, jobId, code: end.code }, 'run failed')
    await finishRun(deps, claim, { kind: 'failed', code: end.code, message: end.message })
    return
  }
  if (end === null) deps.log.error({ runId, jobId, attempt, err: error }, 'unexpected error in a run')
  const mistake = {
    code: 'internal_error',
    message: 'The service made a mistake with this job. Its log has the details.',
  }
  await waitOrFail(deps, claim, end ?? { afterMs: null, ...mistake })
}

/** Gives the run back to be tried again later; once that has happened often enough, the job fails with the reason. */
async function waitOrFail(
  deps: WorkerDeps,
  claim: Claim,
  end: { afterMs: number | null; code: string; message: string },
): Promise<void> {
  const asked = end.afterMs !== null
  const isSpent = asked
    ? claim.handovers >= MAX_HANDOVERS
    : claim.attemptsUsed >= Math.min(MAX_FAILURES, deps.maxAttempts)
  if (isSpent) {
    await finishRun(deps, claim, { kind: 'failed', code: end.code, message: end.message })
    return
  }
  const waitMs = asked
    ? Math.min(MAX_ASKED_WAIT_MS, end.afterMs ?? 0)
    : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (claim.attemptsUsed - 1))
  const { runId, jobId } = claim
  deps.log.info({ runId, jobId, code: end.code, waitMs }, 'run waits')
  // Asked to wait: that is no attempt. Anything else counts as one.
  await releaseRun(deps, claim, { reason: asked ? 'waiting' : 'error', notBefore: new Date(Date.now() + waitMs) })
}
