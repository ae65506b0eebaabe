const ONE_BY_ONE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
const WORD = new RegExp(
  String.raw`\s+|[${ONE_BY_ONE}]|(?:(?![${ONE_BY_ONE}])[\p{L}\p{N}\p{M}_])+(?:['’](?![${ONE_BY_ONE}])\p{L}+)*|.`,
  'gsu',
)

/** Words, runs of white space and single signs, in order; together they are the text. Scripts that do not space their words go sign by sign. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? []
}
