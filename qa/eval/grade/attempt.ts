import type { Outcome } from '../task/outcome.ts'
import type { Tree } from '../task/tree.ts'

/** The result of one attempt at a task, as the graders receive it. */
export interface Attempt {
  /** The outcome. `stopped`: a limit or a refusal of the model ended the attempt. */
  readonly outcome: Outcome | 'stopped'
  /** The product's code if `stopped`. */
  readonly code: string | null
  readonly title: string
  readonly body: string
  readonly reason: string
  readonly after: Tree
  /**
   * New issues that the product's checks found, one per line. Excludes
   * advice.
   */
  readonly problems: readonly string[]
}

/** The reference for the grading of an attempt. */
export interface GradeContext {
  readonly base: Tree
  readonly gold: Tree
}
