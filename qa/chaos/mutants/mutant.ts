import type { Guard } from './guards.ts'

/** One guard of the product switched off by an edit of its source, and the tests that have to notice. */
export interface Mutant {
  /** Unique, kebab-case. */
  readonly name: string
  readonly guard: Guard
  /** Path from the root of the repository. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  /** What stands there instead. */
  readonly replace: string
  /** Test files, as paths from the root. */
  readonly tests: readonly string[]
  /** Only tests whose full name (describe and test, joined by a blank) matches this regular expression. */
  readonly only?: string
}

export type Verdict =
  | { readonly kind: 'caught'; readonly by: string }
  | { readonly kind: 'survived' }
  /** The edit or the run itself went wrong, so nothing is known about the guard. */
  | { readonly kind: 'broken'; readonly why: string }
