import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { readClocks, ShutdownError } from '@corrigenda/core/leases'
import {
  type Claim,
  claimRun,
  findFrozen,
  findWaitingRun,
  finishRun,
  type RunOutcome,
  releaseRun,
  restartRun,
} from '@corrigenda/core/runs'
import { forProject } from '../git-host/for-project.ts'
import { removeRunBranch } from '../publish/remove-branch.ts'
import { CancelRequestedError, type HeldRun, holdRun } from './hold-run.ts'
import { resolveInterruptedPublish } from './resolve-interrupted-publish.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
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
/** Releases to wait, per job: a host that always says "later" ends the job. */
const MAX_RELEASES = 24
/** A follow-up is begun anew this often when people keep pushing to its branch. */
const MAX_RESTARTS = 3
/** Longest look at the Git host for a run that was cancelled. */
const SETTLE_LIMIT_MS = 8_000

/**
 * Handles a wake-up: claims the next run and works on it as far as possible. Never throws; what is not
 * written stays for a successor.
 * @param lockLost aborts when the queue no longer counts the wake-up as this worker's
 */
export async function handleRun(deps: WorkerDeps, lockLost?: AbortSignal): Promise<void> {
  let claim: Claim | null = null
  // A process that shuts down claims nothing; the sweeper wakes another worker.
  if (deps.shutdown.aborted) return
  try {
    const claimedAt = readClocks()
    claim = await claimRun(deps, { owner: deps.owner })
    // Other workers were faster, or the projects with due runs have as many running as they may.
    if (!claim) return
    await deps.onPoint('run.claimed', claim)
    await workUnderLease(forProject(deps, claim.projectId), claim, holdRun(deps, claim, { claimedAt, lockLost }))
    await deps.onPoint('run.finished', claim)
  } catch (error) {
    const fields = { runId: claim?.runId, jobId: claim?.jobId, attempt: claim?.attempt }
    if (error instanceof LostLeaseError) deps.log.warn(fields, 'lost the run; wrote nothing')
    else if (isConnectionError(error)) deps.log.error(fields, 'database away; the run continues when its lease ends')
    else
      deps.log.error(
        { ...fields, err: error },
        'the end of a run could not be written; it continues when its lease ends',
      )
    if (claim && error instanceof LostLeaseError) await tidyAfterCancel(forProject(deps, claim.projectId), claim)
  }
  if (claim) await wakeNext(deps, claim)
}

/** A wake-up that found the project full is used up: now there is room. */
async function wakeNext(deps: WorkerDeps, claim: Claim): Promise<void> {
  if (deps.shutdown.aborted) return
  try {
    const next = await findWaitingRun(deps, claim.projectId)
    if (next !== null) await deps.queue.wakeWorker()
  } catch {
    deps.log.debug('no worker woken for the next run; the sweeper will')
  }
}

/** The job was cancelled while its branch was on the way: without a pull request it is of no use to anybody. */
async function tidyAfterCancel(deps: WorkerDeps, claim: Claim): Promise<void> {
  try {
    const frozen = await findFrozen(deps, claim.runId)
    if (frozen?.outcome === 'cancelled' && !frozen.isOpening) {
      await removeRunBranch(deps, claim, AbortSignal.timeout(SETTLE_LIMIT_MS))
    }
  } catch (error) {
    const { runId, jobId } = claim
    deps.log.warn({ runId, jobId, away: isConnectionError(error) }, 'could not look for the branch of a cancelled job')
  }
}

async function workUnderLease(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<void> {
  const { runId, jobId, attempt } = claim
  deps.log.info({ runId, jobId, attempt, projectId: claim.projectId }, 'run claimed')
  try {
    const ending = await workOnRun(deps, claim, lease)
    if (ending.kind === 'later') await waitOrFail(deps, claim, ending)
    else await finish(deps, claim, ending.outcome)
    deps.log.info({ runId, jobId, ending: ending.kind === 'ended' ? ending.outcome.kind : 'later' }, 'run worked on')
  } catch (error) {
    // An abort surfaces as whatever the interrupted call made of it.
    await endRunAfter(deps, claim, lease.signal.aborted ? lease.signal.reason : error)
  } finally {
    lease.stop()
  }
}

async function finish(deps: WorkerDeps, claim: Claim, outcome: RunOutcome): Promise<void> {
  await deps.onPoint('run.finishing', claim)
  await finishRun(deps, claim, outcome)
}

/** What becomes of a run after its work threw. */
async function endRunAfter(deps: WorkerDeps, claim: Claim, error: unknown): Promise<void> {
  const { runId, jobId, attempt } = claim
  if (error instanceof LostLeaseError || isConnectionError(error)) throw error
  if (error instanceof ShutdownError || error instanceof CancelRequestedError) {
    deps.log.info({ runId, jobId, why: error.message }, 'run interrupted')
    return error instanceof ShutdownError ? release(deps, claim) : settle(deps, claim)
  }
  if (error instanceof BranchMovedError && claim.restarts < MAX_RESTARTS) {
    deps.log.info({ runId, jobId, restarts: claim.restarts }, 'people pushed to the branch; starting again on top')
    return restartRun(deps, claim)
  }
  if (error instanceof BranchMovedError) {
    await finish(deps, claim, { kind: 'failed', code: 'branch_conflict', message: error.message })
    return
  }
  if (error instanceof RunFailure) {
    deps.log.info({ runId, jobId, code: error.code }, 'run failed')
    const { code, message, checks, changes } = error
    await finish(deps, claim, { kind: 'failed', code, message, checks, ...(changes ? { changes } : {}) })
    return
  }
  const end = toRunEnd(error)
  if (end?.kind === 'failed') {
    deps.log.info({ runId, jobId, code: end.code }, 'run failed')
    await finish(deps, claim, { kind: 'failed', code: end.code, message: end.message })
    return
  }
  if (end === null) deps.log.error({ runId, jobId, attempt, err: error }, 'unexpected error in a run')
  const mistake = {
    code: 'internal_error',
    message: 'The service made a mistake with this job. Its log has the details.',
  }
  await waitOrFail(deps, claim, end ?? { afterMs: null, ...mistake })
}

async function release(deps: WorkerDeps, claim: Claim): Promise<void> {
  await releaseRun(deps, claim, { reason: 'shutdown', afterMs: null })
  // Another worker starts now instead of after its next sweep.
  await deps.queue.wakeWorker().catch(() => deps.log.info({ runId: claim.runId }, 'no worker woken; the sweeper will'))
}

async function settle(deps: WorkerDeps, claim: Claim): Promise<void> {
  try {
    const signal = AbortSignal.any([deps.shutdown, AbortSignal.timeout(SETTLE_LIMIT_MS)])
    await finish(deps, claim, await resolveInterruptedPublish(deps, claim, 'cancelled', signal))
  } catch (error) {
    // The Git host does not say: asked again later, like any other outage.
    await endRunAfter(deps, claim, error)
  }
}

/** Releases the run to be tried again later; once that has happened often enough, the job fails with the reason. */
async function waitOrFail(
  deps: WorkerDeps,
  claim: Claim,
  end: { afterMs: number | null; code: string; message: string },
): Promise<void> {
  const asked = end.afterMs !== null
  const maxFailures = claim.settle === 'attempts_exhausted' ? Number.POSITIVE_INFINITY : MAX_FAILURES
  const isSpent = asked
    ? claim.releases >= MAX_RELEASES
    : claim.failures + 1 >= maxFailures || claim.attemptsUsed >= claim.maxAttempts
  if (isSpent) {
    await finish(deps, claim, { kind: 'failed', code: end.code, message: end.message })
    return
  }
  const waitMs = asked
    ? Math.min(MAX_ASKED_WAIT_MS, end.afterMs ?? 0)
    : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** claim.failures)
  const { runId, jobId } = claim
  deps.log.info({ runId, jobId, code: end.code, waitMs }, 'run waits')
  // Asked to wait: that is no attempt. Anything else counts as one.
  await releaseRun(deps, claim, { reason: asked ? 'waiting' : 'error', afterMs: waitMs })
}
