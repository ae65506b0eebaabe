import type { FailureCode } from '@corrigenda/contracts'
import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import { ShutdownError } from '@corrigenda/core/leases'
import type { Claim, RunOutcome } from '@corrigenda/core/runs'
import { CancelRequestedError } from './hold-run.ts'
import { BranchMovedError, type LaterEnding, RunFailure } from './run-failure.ts'
import { toRunEnd } from './to-run-end.ts'

/** Backoff after errors: 5 s, 10 s, 20 s, … at most 5 min. */
const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000
/** Maximum length of a wait requested by a remote service. */
const MAX_ASKED_WAIT_MS = 3_600_000
/** Errors per run before the job fails because of a long outage or a bug in this service. */
const MAX_FAILURES = 5
/** Releases per run before the job fails because a remote service keeps requesting a wait. */
const MAX_RELEASES = 24
/** Restarts of a follow-up before the job fails because users keep pushing to its branch. */
const MAX_RESTARTS = 3

/** Error stored in the job record for an unexpected error. The log contains the details. */
export const INTERNAL_ERROR = {
  code: 'internal_error',
  message: 'Internal error in this job. See the service log for details.',
} as const

/** Next step for a run whose work was interrupted. */
export type NextStep =
  /** Write nothing, because another worker holds the run or the database is unavailable. */
  | { readonly kind: 'abandon' }
  /** Release the run for another worker, without using an attempt. */
  | { readonly kind: 'hand_over' }
  /**
   * The run was cancelled while its pull request was being opened. Determine the outcome from the
   * Git host.
   */
  | { readonly kind: 'resolve_cancel' }
  /** Replace the run with a new run on the branch's newest commit. */
  | { readonly kind: 'restart' }
  | Finish
  | Release

interface Finish {
  readonly kind: 'finish'
  readonly outcome: RunOutcome
}

/**
 * Release of a run, which may be claimed again after `afterMs`. `error` uses an attempt; `waiting`
 * does not.
 */
interface Release {
  readonly kind: 'release'
  readonly reason: 'waiting' | 'error'
  readonly afterMs: number
  readonly code: FailureCode
}

type Counted = Pick<Claim, 'counters' | 'interruptedPublish'>

/** Returns the next step of a run after its work threw `error`. */
export function toNextStep(error: unknown, run: Counted): NextStep {
  if (error instanceof LostLeaseError || isConnectionError(error)) return { kind: 'abandon' }
  if (error instanceof ShutdownError) return { kind: 'hand_over' }
  if (error instanceof CancelRequestedError) return { kind: 'resolve_cancel' }
  if (error instanceof BranchMovedError) {
    return run.counters.restarts < MAX_RESTARTS ? { kind: 'restart' } : fail('branch_conflict', error.message)
  }
  if (error instanceof RunFailure) {
    const { code, message, checks, changes } = error
    return { kind: 'finish', outcome: { kind: 'failed', code, message, checks, ...(changes ? { changes } : {}) } }
  }
  const end = toRunEnd(error) ?? { kind: 'later', afterMs: null, ...INTERNAL_ERROR }
  return end.kind === 'failed' ? fail(end.code, end.message) : toRetry(end, run)
}

/**
 * Releases a run that continues later, or fails it once its retries are used up. Requested waits
 * and errors have separate limits. A run with an interrupted publish and no attempts left is
 * retried after errors up to its attempt limit, because failing it early could lose a pull request.
 */
export function toRetry(
  { afterMs, code, message }: Omit<LaterEnding, 'kind'>,
  { counters, interruptedPublish }: Counted,
): Finish | Release {
  const { releases, failures, attemptsUsed, attemptLimit } = counters
  if (afterMs !== null) {
    if (releases >= MAX_RELEASES) return fail(code, message)
    return { kind: 'release', reason: 'waiting', afterMs: Math.min(MAX_ASKED_WAIT_MS, afterMs), code }
  }
  const hasFailedTooOften = interruptedPublish !== 'attempts_exhausted' && failures + 1 >= MAX_FAILURES
  if (hasFailedTooOften || attemptsUsed >= attemptLimit) return fail(code, message)
  const backoffMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
  return { kind: 'release', reason: 'error', afterMs: backoffMs, code }
}

const fail = (code: FailureCode, message: string): Finish => ({
  kind: 'finish',
  outcome: { kind: 'failed', code, message },
})
