import type { FailureCode } from '@corrigenda/contracts'
import type { RunOutcome } from '@corrigenda/core/runs'

/** The run continues later. */
export interface LaterEnding {
  readonly kind: 'later'
  /** Wait that the remote service requested, in ms; null: the retry policy chooses. */
  readonly afterMs: number | null
  /** Failure code of the job once the retries are used up. */
  readonly code: FailureCode
  readonly message: string
}

/** Result of the work on a run. */
export type RunEnding = { readonly kind: 'ended'; readonly outcome: RunOutcome } | LaterEnding
