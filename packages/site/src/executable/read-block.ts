/** Returns the lines of a text from an offset, the first one from the offset itself. */
function* readLines(text: string, offset: number): Generator<string> {
  for (let start = offset; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end < 0 ? text.length : end)
    if (end < 0) return
    start = end + 1
  }
}

/** Returns the lines while `isInside` is true for those after the first. */
function readWhile(text: string, offset: number, isInside: (line: string) => boolean): string {
  const kept: string[] = []
  for (const line of readLines(text, offset)) {
    if (kept.length > 0 && !isInside(line)) break
    kept.push(line)
  }
  return kept.join('\n')
}

const isBlank = (line: string): boolean => line.trim() === ''

/** Returns a directive of reStructuredText with its content, which is indented further. */
export function readIndented(text: string, offset: number): string {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  // Lines of a cell begin with the border of the table.
  if (/[|+]/.test(before)) return readWhile(text, offset, (line) => !isBlank(line))
  return readWhile(text, offset, (line) => isBlank(line) || line.search(/\S/) > before.length)
}

/**
 * Returns a fenced block, up to the line that closes it.
 * @param offset in the line that opens the block
 */
export function readFenced(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const [fence = '```'] = /`{3,}|:{3,}|~{3,}/.exec(text.slice(start, start + 200)) ?? []
  let isOpen = true
  return readWhile(text, start, (line) => {
    if (!isOpen) return false
    const [, end = ''] = /^[ \t>]*(`{3,}|:{3,}|~{3,})[ \t]*$/.exec(line) ?? []
    isOpen = !(end.startsWith(fence[0] ?? '`') && end.length >= fence.length)
    return true
  })
}

/** Returns a block of AsciiDoc: up to the delimiter that closes it, or a blank line. */
export function readDelimited(text: string, offset: number): string {
  let delimiter: string | null = null
  let isClosed = false
  return readWhile(text, offset, (line) => {
    if (isClosed) return false
    const mark = /^(?:(?:-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|\/{4,})|--|\|===|```.*)$/.exec(line.trimEnd())?.[0]
    if (delimiter === null && isBlank(line)) return false
    if (mark === undefined) return true
    if (delimiter === null) delimiter = mark
    else isClosed = mark === delimiter || (mark === '```' && delimiter.startsWith('```'))
    return true
  })
}
