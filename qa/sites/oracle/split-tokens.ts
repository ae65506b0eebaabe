interface Tokens {
  /** Runs of characters that can be in a path or an address. */
  readonly words: readonly string[]
  /** Everything between them, in order. */
  readonly gaps: string
}

/** An attribute's value up to its query or anchor may contain spaces and parentheses. */
const WORD = /(?<==")[^"#?]*\/[^"#?]*(?=[#?"])|[^\s()"'`<>[\]{},|=:#?;]+/g

/** Splits a line into words that may be references, and the rest. */
export function splitTokens(line: string): Tokens {
  return { words: line.match(WORD) ?? [], gaps: line.replaceAll(WORD, '\0') }
}
