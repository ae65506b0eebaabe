/** A text in a configuration file that is data: the value of a property or an item of a list. */
export interface ConfigString {
  readonly value: string
  /** Offsets of the text without its quotes. `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** The nearest property or attribute that contains the text, or null. */
  readonly key: string | null
}
