/** The shape of a block that contains text with inline formatting. */
export type TextShape =
  | { readonly tag: 'paragraph' }
  | { readonly tag: 'heading'; readonly level: number }
  /**
   * `depth` counts from 0. `marker` is the bullet or number. `checked` is null if the item is not a
   * task.
   */
  | { readonly tag: 'item'; readonly depth: number; readonly marker: string; readonly checked: boolean | null }
  | { readonly tag: 'quote'; readonly depth: number }

/**
 * The shape of a block that is shown literally: code, front matter, or text that is not Markdown
 * (tags, imports, directives, comments).
 */
export type LinesShape = 'code' | 'matter' | 'literal'

/**
 * A block of a Markdown document. `from` and `to` (exclusive) delimit its lines on its side of the
 * hunk.
 */
export type Block = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'text'; readonly shape: TextShape; readonly text: string }
  | { readonly kind: 'lines'; readonly shape: LinesShape; readonly info: string; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }
)
