const ONE_BY_ONE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
const WORD = new RegExp(
  String.raw`\s+|[${ONE_BY_ONE}]|(?:(?![${ONE_BY_ONE}])[\p{L}\p{N}\p{M}_])+(?:['’](?![${ONE_BY_ONE}])\p{L}+)*|.`,
  'gsu',
)

/**
 * Splits text into words, runs of white space and single characters, in order. Joining them yields
 * the original text. Text in scripts without spaces between words is split into characters.
 */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? []
}
