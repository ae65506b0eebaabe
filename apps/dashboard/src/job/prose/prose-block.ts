import type { LinesShape, TextShape } from './split-blocks.ts'
import type { Mark } from './split-inline.ts'

/** The kind of change to a piece of text. */
export type Change = 'same' | 'inserted' | 'removed'

/** Consecutive words with the same change and formatting. */
export interface InlineRun {
  readonly change: Change
  readonly text: string
  readonly marks: readonly Mark[]
  /** Untrusted. */
  readonly href: string | null
  /**
   * Present if the words are the same and their link was added, removed or changed: its previous
   * target, or null. Untrusted.
   */
  readonly wasHref?: string | null
}

/** A line that is shown literally. */
export interface LiteralLine {
  readonly change: Change
  readonly spans: readonly { readonly text: string; readonly isChanged: boolean }[]
}

export interface TableRow {
  readonly cells: readonly (readonly InlineRun[])[]
}

/**
 * A block with revision marks. `change` applies to the entire block. A block whose change is `same`
 * can contain changed words.
 */
export type ProseBlock = { readonly change: Change } & (
  | {
      readonly kind: 'text'
      readonly shape: TextShape
      readonly runs: readonly InlineRun[]
      /** The block's previous type, such as "paragraph", if it differs. */
      readonly was: string | null
    }
  | {
      readonly kind: 'lines'
      readonly shape: LinesShape
      readonly info: string
      readonly lines: readonly LiteralLine[]
    }
  | { readonly kind: 'table'; readonly rows: readonly TableRow[] }
  | { readonly kind: 'rule' }
)
