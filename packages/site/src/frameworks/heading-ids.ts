/** Rules by which a framework generates the ids of headings. */
export interface HeadingIds {
  /** Converts a heading's text to its id. */
  toSlug(text: string): string
  /** A repeated id ends with the separator and a number, starting with `firstNumber`. */
  readonly separator: string
  readonly firstNumber: number
  /** Defines an id at the end of a heading. Null if the framework has no syntax for this. */
  readonly explicit: ExplicitIds | null
}

interface ExplicitIds {
  toMark(id: string): string
  /** The site's configuration must contain this text. Absent if the syntax needs no setting. */
  readonly setting?: string
}
