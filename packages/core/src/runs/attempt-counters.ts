import { Prisma } from '../generated/prisma/client.ts'

/**
 * Attempts beyond the configured maximum for a run that has started opening its pull request. They
 * serve only to determine whether the pull request was opened.
 */
const RESOLVE_ATTEMPTS = 5

/**
 * Attempts whose worker stopped responding after which a run ends, because it would probably stop
 * every worker.
 */
export const MAX_STALLS = 2

/** Columns of `runs` that count claims, releases and restarts. */
interface CounterColumns {
  /** Number of claims so far. Never decreases, because it is the fencing token. */
  readonly attempt: number
  /** Number of releases on shutdown or for a requested wait, which do not use an attempt. */
  readonly releases: number
  /** Number of releases after an error. */
  readonly failures: number
  /** Number of attempts whose worker stopped responding. Each counts as two attempts. */
  readonly stalls: number
  /**
   * Number of earlier runs for the same messages that were replaced because users pushed to the
   * branch; see restartRun.
   */
  readonly restarts: number
  /** Time when the run started opening its pull request; see recordPush. */
  readonly openingAt: Date | null
}

/** A claimed run's counters, used for retry decisions. */
export interface RunCounters extends Pick<CounterColumns, 'releases' | 'failures' | 'stalls' | 'restarts'> {
  /** Number of attempts that the claims count as, including this one. */
  readonly attemptsUsed: number
  /**
   * The configured maximum number of attempts, plus five once the run has started opening its pull
   * request.
   */
  readonly attemptLimit: number
}

/**
 * Reason why a run that has started opening its pull request must not continue: its job was
 * cancelled or the configured attempts are exhausted.
 */
export type InterruptedPublish = 'cancelled' | 'attempts_exhausted'

/**
 * Returns the counters of a claimed run. A worker crash uses an attempt, and so does a release
 * after an error.
 */
export function toRunCounters(run: CounterColumns, maxAttempts: number): RunCounters {
  const { attempt, releases, failures, stalls, restarts, openingAt } = run
  return {
    attemptsUsed: attempt - releases + stalls,
    attemptLimit: maxAttempts + (openingAt === null ? 0 : RESOLVE_ATTEMPTS),
    releases,
    failures,
    stalls,
    restarts,
  }
}

/**
 * Returns the reason why a claimed run must not continue, or null if it may continue. A run that
 * must not continue is claimed only if it has started opening its pull request.
 */
export function toInterruptedPublish(
  run: CounterColumns & { readonly cancelRequestedAt: Date | null },
  maxAttempts: number,
): InterruptedPublish | null {
  if (run.cancelRequestedAt !== null) return 'cancelled'
  const isExhausted = run.stalls >= MAX_STALLS || toRunCounters(run, maxAttempts).attemptsUsed > maxAttempts
  return isExhausted ? 'attempts_exhausted' : null
}

/**
 * Returns the SQL condition for rows of `runs` with attempts left, which is `attemptsUsed <
 * attemptLimit` before the claim. A run that has not started opening its pull request also needs
 * fewer than `MAX_STALLS` stalls.
 */
export const hasAttemptLeft = (maxAttempts: number): Prisma.Sql =>
  Prisma.sql`(runs.attempt - runs.handovers + runs.stalls < ${maxAttempts}::int
    + CASE WHEN runs.opening_at IS NULL THEN 0 ELSE ${RESOLVE_ATTEMPTS}::int END
    AND (runs.stalls < ${MAX_STALLS}::int OR runs.opening_at IS NOT NULL))`

/** Returns the assignments that count a release. Only an error counts as a failure. */
export const countRelease = (reason: 'shutdown' | 'waiting' | 'error'): Prisma.Sql =>
  reason === 'error' ? Prisma.sql`failures = failures + 1` : Prisma.sql`handovers = handovers + 1`
