const charactersPerToken = 4

/** Estimates tokens at four characters each, because no tokenizer is available. */
export function estimateTokens(text: string | number): number {
  return Math.ceil((typeof text === 'number' ? text : text.length) / charactersPerToken)
}
