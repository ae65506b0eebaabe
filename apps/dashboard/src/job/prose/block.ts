/** The shape of a block whose content is text with inline formatting. */
export type TextShape =
  | { readonly tag: 'paragraph' }
  | { readonly tag: 'heading'; readonly level: number }
  /** `depth` counts from 0. `marker` is what stands before it: a bullet or a number. `checked` is null when it is no task. */
  | { readonly tag: 'item'; readonly depth: number; readonly marker: string; readonly checked: boolean | null }
  | { readonly tag: 'quote'; readonly depth: number }

/** What is shown letter by letter: code, front matter, and what is no Markdown (tags, imports, directives, comments). */
export type LinesShape = 'code' | 'matter' | 'literal'

/** A block of a Markdown document. `from` and `to` (exclusive) are the indices of its lines on its side of the hunk. */
export type Block = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'text'; readonly shape: TextShape; readonly text: string }
  | { readonly kind: 'lines'; readonly shape: LinesShape; readonly info: string; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }
)
