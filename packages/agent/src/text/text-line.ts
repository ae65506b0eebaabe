/** A line of text that a change publishes. */
export interface TextLine {
  readonly text: string
  /** 1-based, in the changed file. */
  readonly line: number
  /** True for a row of a table, an item of a list, or a heading. */
  readonly isRow: boolean
  /** True for text that was decoded, whose line breaks have no meaning. */
  readonly isEncoded: boolean
}
