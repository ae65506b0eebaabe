import type { FailureCode } from '@corrigenda/contracts'
import type { RunOutcome } from '@corrigenda/core/runs'

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
