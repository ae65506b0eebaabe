import type { EvaluatedFile } from './evaluation.ts'
import type { Literal } from './literal.ts'

/** A required file that could not be read. */
export interface SiteFault {
  readonly path: string
  /** 1-based; null if the problem concerns the whole file. */
  readonly line: number | null
  /**
   * `invalid`: does not parse, so the site cannot build. `limit`: exceeds the size or depth limit.
   * `missing`: refers to a missing file.
   */
  readonly code: 'invalid' | 'limit' | 'missing'
  /** Part of a sentence, for example `it has more than 100 levels of nesting`. */
  readonly detail: string
}

/** A configuration file that was read. */
export interface ConfigFile extends EvaluatedFile {
  /**
   * The document in a JSON or YAML file. In a script, the arrays and objects that are not part of
   * another one, as written: names, spreads and other expressions are `unknown`. Edits use them to
   * find the text around an entry.
   */
  readonly roots: readonly Literal[]
  readonly fault: SiteFault | null
}
