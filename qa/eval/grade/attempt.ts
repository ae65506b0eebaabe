import type { Outcome } from '../task/outcome.ts'
import type { Tree } from '../task/tree.ts'

/** What came of one try at a task, as the graders see it. */
export interface Attempt {
  /** How it ended; `stopped` when a limit or a refusal ended it. */
  readonly outcome: Outcome | 'stopped'
  /** For `stopped`: the product's code. */
  readonly code: string | null
  readonly title: string
  readonly body: string
  readonly reason: string
  readonly after: Tree
  /** Faults that the product's checks found and the base did not have, one a line; not what is advice only. */
  readonly problems: readonly string[]
}

/** What graders compare an attempt with. */
export interface GradeContext {
  readonly base: Tree
  readonly gold: Tree
}
