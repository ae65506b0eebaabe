import { Prisma } from '../generated/prisma/client.ts'

/**
 * Attempts beyond the configured maximum for a run that began to open its pull request. They only
 * determine the outcome of that pull request.
 */
const RESOLVE_ATTEMPTS = 5

/** Columns of `runs` that count claims, releases and restarts. */
interface CounterColumns {
  /** Claims so far. Never decreases, because it is the fencing token. */
  readonly attempt: number
  /** Releases that use no attempt: on shutdown, or for a requested wait. */
  readonly releases: number
  /** Releases after an error. */
  readonly failures: number
  /**
   * Predecessors with the same messages that were replaced because users pushed to the branch; see
   * restartRun.
   */
  readonly restarts: number
  /** Time at which the run began to open its pull request; see recordPush. */
  readonly openingAt: Date | null
}

/** The counters of a claimed run, for decisions about retries. */
export interface RunCounters extends Pick<CounterColumns, 'releases' | 'failures' | 'restarts'> {
  /** Claims that count as attempts, including this one. */
  readonly attemptsUsed: number
  /**
   * Maximum number of attempts: the configured maximum, plus five once the run began to open its
   * pull request.
   */
  readonly attemptLimit: number
}

/**
 * Reason why a run that began to open its pull request must not continue: its job is cancelled, or
 * the configured attempts are used up.
 */
export type InterruptedPublish = 'cancelled' | 'attempts_exhausted'

/**
 * Returns the counters as of a claim. A crashed worker uses an attempt, and so does a release after
 * an error.
 */
export function toRunCounters(run: CounterColumns, maxAttempts: number): RunCounters {
  const { attempt, releases, failures, restarts, openingAt } = run
  return {
    attemptsUsed: attempt - releases,
    attemptLimit: maxAttempts + (openingAt === null ? 0 : RESOLVE_ATTEMPTS),
    ...{ releases, failures, restarts },
  }
}

/**
 * Returns the reason why a claimed run must not continue, or null. Such a run is only claimed when
 * it began to open its pull request.
 */
export function toInterruptedPublish(
  run: CounterColumns & { readonly cancelRequestedAt: Date | null },
  maxAttempts: number,
): InterruptedPublish | null {
  if (run.cancelRequestedAt !== null) return 'cancelled'
  return toRunCounters(run, maxAttempts).attemptsUsed > maxAttempts ? 'attempts_exhausted' : null
}

/**
 * Returns the condition that a row of `runs` has an attempt left: `attemptsUsed < attemptLimit`
 * before the claim.
 */
export const hasAttemptLeft = (maxAttempts: number): Prisma.Sql =>
  Prisma.sql`(runs.attempt - runs.handovers < ${maxAttempts}::int
    + CASE WHEN runs.opening_at IS NULL THEN 0 ELSE ${RESOLVE_ATTEMPTS}::int END)`

/** Returns the assignments that count a release. Only an error counts as a failure. */
export const countRelease = (reason: 'shutdown' | 'waiting' | 'error'): Prisma.Sql =>
  reason === 'error' ? Prisma.sql`failures = failures + 1` : Prisma.sql`handovers = handovers + 1`
