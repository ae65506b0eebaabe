/** A part of a line. `isChanged` is true if this part differs in the other version of the line. */
export interface Span {
  readonly text: string
  readonly isChanged: boolean
}
