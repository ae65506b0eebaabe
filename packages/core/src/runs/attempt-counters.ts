import { Prisma } from '../generated/prisma/client.ts'

/** Attempts beyond the configured maximum for a run that began to open its pull request. They only resolve it. */
const RESOLVE_ATTEMPTS = 5

/** The columns that count what happened to a run. */
interface CounterColumns {
  /** Claims so far. Only grows: it is the fencing number. */
  readonly attempt: number
  /** Releases that use no attempt: on a shutdown, or for a wait that was asked for. */
  readonly releases: number
  /** Releases after an error. */
  readonly failures: number
  /** Runs of the same messages that were replaced because people pushed to the branch; see restartRun. */
  readonly restarts: number
  /** When the run began to open its pull request; see recordPush. */
  readonly openingAt: Date | null
}

/** The counters of a claimed run, for decisions about retries. */
export interface RunCounters extends Pick<CounterColumns, 'releases' | 'failures' | 'restarts'> {
  /** Claims that count as attempts, this one included. */
  readonly attemptsUsed: number
  /**
   * The run is not claimed again after this many: the configured maximum, and five more once it
   * began to open its pull request.
   */
  readonly attemptLimit: number
}

/**
 * Why a run that began to open its pull request must not continue: its job is cancelled, or it has
 * used the configured attempts.
 */
export type InterruptedPublish = 'cancelled' | 'attempts_exhausted'

/** The counters as of a claim. A worker that dies uses an attempt; a release after an error does, too. */
export function toRunCounters(run: CounterColumns, maxAttempts: number): RunCounters {
  const { attempt, releases, failures, restarts, openingAt } = run
  return {
    attemptsUsed: attempt - releases,
    attemptLimit: maxAttempts + (openingAt === null ? 0 : RESOLVE_ATTEMPTS),
    ...{ releases, failures, restarts },
  }
}

/** Null: the run continues. Only a run that began to open its pull request is claimed otherwise. */
export function toInterruptedPublish(
  run: CounterColumns & { readonly cancelRequestedAt: Date | null },
  maxAttempts: number,
): InterruptedPublish | null {
  if (run.cancelRequestedAt !== null) return 'cancelled'
  return toRunCounters(run, maxAttempts).attemptsUsed > maxAttempts ? 'attempts_exhausted' : null
}

/** The condition that a row of `runs` has an attempt left: `attemptsUsed < attemptLimit` before the claim. */
export const hasAttemptLeft = (maxAttempts: number): Prisma.Sql =>
  Prisma.sql`(runs.attempt - runs.handovers < ${maxAttempts}::int
    + CASE WHEN runs.opening_at IS NULL THEN 0 ELSE ${RESOLVE_ATTEMPTS}::int END)`

/** The assignments that count a release: an error is a failure, all else is not held against the run. */
export const countRelease = (reason: 'shutdown' | 'waiting' | 'error'): Prisma.Sql =>
  reason === 'error' ? Prisma.sql`failures = failures + 1` : Prisma.sql`handovers = handovers + 1`
