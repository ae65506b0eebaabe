import type { CheckResult, FailureCode, FileChange } from '@corrigenda/contracts'
import type { RunOutcome } from '@corrigenda/core/runs'

interface PartialChanges {
  readonly baseCommit: string
  readonly files: readonly FileChange[]
}

/**
 * Error for a job that cannot be completed. Its code and message are stored in the job record
 * unchanged.
 */
export class RunFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly checks: readonly CheckResult[] = [],
    /** Changes made before the failure. */
    readonly changes: PartialChanges | null = null,
  ) {
    super(message)
    this.name = 'RunFailure'
  }
}

/**
 * Error for a follow-up whose branch has commits that did not exist when its work started. The run
 * restarts on top of them.
 */
export class BranchMovedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BranchMovedError'
  }
}

/** An error that a retry may resolve. If it does not, the job fails with `code` and `message`. */
export class RetriedFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    /** Wait that the remote service asks for, in ms; null if it does not. */
    readonly afterMs: number | null,
    cause: unknown,
  ) {
    super(message, { cause })
    this.name = 'RetriedFailure'
  }
}

/** The run continues later. */
export interface LaterEnding {
  readonly kind: 'later'
  /** Wait requested by the remote service, in ms; null to let the retry policy choose. */
  readonly afterMs: number | null
  /** The job's failure code if the retries are used up. */
  readonly code: FailureCode
  readonly message: string
}

/** Result of working on a run. */
export type RunEnding = { readonly kind: 'ended'; readonly outcome: RunOutcome } | LaterEnding
