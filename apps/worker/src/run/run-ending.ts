import type { RunOutcome } from '@corrigenda/core/runs'

/** The run continues later. */
export interface LaterEnding {
  readonly kind: 'later'
  /** Wait that the other side asked for, in ms; null: the retry policy chooses. */
  readonly afterMs: number | null
  /** What the job fails with once the retries are used up. */
  readonly code: string
  readonly message: string
}

/** What the work on a run comes to. */
export type RunEnding = { readonly kind: 'ended'; readonly outcome: RunOutcome } | LaterEnding
