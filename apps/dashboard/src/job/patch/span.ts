/** A part of a text, and whether it differs from the text on the other side. */
export interface Span {
  readonly text: string
  readonly isChanged: boolean
}
