export interface Tokens {
  /** Runs of characters that can be in a path or an address. */
  readonly words: readonly string[]
  /** Everything between them, in order. */
  readonly gaps: string
}

const WORD = /[^\s()"'`<>[\]{},|=:#?;]+/g

/** Splits a line into words that may be references, and the rest. */
export function splitTokens(line: string): Tokens {
  return { words: line.match(WORD) ?? [], gaps: line.replaceAll(WORD, '\0') }
}
