const LONGEST = 160

/**
 * Returns the start of a prompt for use as a title: its first line, truncated at a word boundary if
 * it is long. Always a prefix of the trimmed text.
 */
export function toFirstWords(text: string): string {
  const [line = ''] = text.trimStart().split('\n')
  if (line.length <= LONGEST) return line.trimEnd()
  const cut = line.slice(0, LONGEST)
  const blank = cut.lastIndexOf(' ')
  return (blank > LONGEST / 2 ? cut.slice(0, blank) : cut).toWellFormed()
}
