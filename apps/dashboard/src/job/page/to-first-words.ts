const LONGEST = 160

/** The beginning of a prompt that can stand as a title: its first line, cut at a word when it is long. Always a prefix of the trimmed text. */
export function toFirstWords(text: string): string {
  const [line = ''] = text.trimStart().split('\n')
  if (line.length <= LONGEST) return line.trimEnd()
  const cut = line.slice(0, LONGEST)
  const blank = cut.lastIndexOf(' ')
  return (blank > LONGEST / 2 ? cut.slice(0, blank) : cut).toWellFormed()
}
