/** The start of a string that a program shows to its users, such as the description of an option. */
const START =
  /\b(?:descri(?:ption|be)|help|usage|summary|epilog(?:ue)?|long)["']?\s{0,4}(?::?=|[:(])\s{0,4}\w?(`|"""|''')/i
const MAX_LINES = 60

/** Returns the 0-based numbers of the lines in help texts that are strings of several lines. */
export function findHelp(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (let from = 0; from < lines.length; from += 1) {
    const line = lines[from] ?? ''
    const start = START.exec(line)
    const mark = start?.[1]
    if (start === null || mark === undefined || line.includes(mark, start.index + start[0].length)) continue
    const size = lines.slice(from + 1, from + MAX_LINES).findIndex((next) => next.includes(mark)) + 1
    for (let index = from; index <= from + size; index += 1) found.add(index)
    from += size
  }
  return found
}
