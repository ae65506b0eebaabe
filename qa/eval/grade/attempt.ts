import type { Evidence } from '@corrigenda/contracts'
import type { Outcome } from '../task/outcome.ts'
import type { SourceTree } from '../task/read-source-trees.ts'
import type { Tree } from '../task/tree.ts'

/** The result of one attempt at a task, as passed to the graders. */
export interface Attempt {
  /** The outcome, or `stopped` if a limit or a model refusal ended the attempt. */
  readonly outcome: Outcome | 'stopped'
  /** The product's failure code if `stopped`. */
  readonly code: string | null
  readonly title: string
  readonly body: string
  readonly reason: string
  readonly after: Tree
  /** Lines of sources that support the change. */
  readonly evidence: readonly Evidence[]
  /** New issues found by the product's checks. Excludes advice. */
  readonly problems: readonly string[]
}

/** The reference for grading an attempt. */
export interface GradeContext {
  readonly base: Tree
  readonly gold: Tree
  /** The task's sources by name, at the commit that the model reads. */
  readonly sources: ReadonlyMap<string, SourceTree>
}
