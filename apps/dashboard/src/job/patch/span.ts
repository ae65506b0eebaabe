/** A part of a text. `isChanged` is true if it differs from the text on the other side. */
export interface Span {
  readonly text: string
  readonly isChanged: boolean
}
