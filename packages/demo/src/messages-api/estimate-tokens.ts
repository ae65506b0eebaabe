const charactersPerToken = 4

/** Tokens, estimated at four characters each: there is no tokenizer here. */
export function estimateTokens(text: string | number): number {
  return Math.ceil((typeof text === 'number' ? text : text.length) / charactersPerToken)
}
