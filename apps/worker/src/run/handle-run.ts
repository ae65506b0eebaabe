import { type Claim, claimRun, finishRun, isConnectionError, LostLeaseError, releaseRun } from '@corrigenda/core'
import { holdLease, Interrupted } from './hold-lease.ts'
import { RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'
import { workOnRun } from './work-on-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Waits between attempts after a failure of the Git host or of ours: 5 s, 10 s, 20 s, … at most 5 min. */
const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000
/** Failures are tried again this often before the job fails: by then the Git host has been away for a while, or the mistake is ours. */
const MAX_FAILURES = 5

/** A queue delivery: claim the run and bring it as far as possible. Never throws; what is not written stays for a successor. */
export async function handleRun(deps: WorkerDeps, runId: string): Promise<void> {
  let claim: Claim | null = null
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
    if (ending.kind === 'later') await releaseRun(deps, claim, { reason: 'waiting', notBefore: ending.notBefore })
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
  // Asked to wait: that is no attempt. Anything else counts as one.
  if (end?.afterMs) {
    await releaseRun(deps, claim, { reason: 'waiting', notBefore: new Date(Date.now() + end.afterMs) })
    return
  }
  if (end === null) deps.log.error({ runId, jobId, attempt, err: error }, 'unexpected error in a run')
  if (claim.attemptsUsed >= Math.min(MAX_FAILURES, deps.maxAttempts)) {
    const { code, message } = end ?? {
      code: 'internal_error',
      message: 'The service made a mistake with this job. Its log has the details.',
    }
    await finishRun(deps, claim, { kind: 'failed', code, message })
    return
  }
  const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (claim.attemptsUsed - 1))
  await releaseRun(deps, claim, { reason: 'error', notBefore: new Date(Date.now() + waitMs) })
}
