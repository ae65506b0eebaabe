/** Thrown if a text cannot be parsed as JavaScript or TypeScript. */
export class ScriptError extends Error {
  constructor(
    /** Part of a sentence, for example `it is nested too deeply`. */
    message: string,
    /** `invalid`: not the language. `limit`: too deep or too slow to parse; may be valid. */
    readonly code: 'invalid' | 'limit',
    /** Position in the text, in UTF-16 code units. */
    readonly offset: number,
  ) {
    super(message)
    this.name = 'ScriptError'
  }
}
