/**
 * Replaces comments with blanks. A regular expression would scan to the end of the page for each
 * unclosed comment.
 */
export function blankComments(text: string): string {
  let out = ''
  let at = 0
  for (const { start, end } of listComments(text)) {
    out += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return out + text.slice(at)
}

/** Returns the positions of comments. */
export function listComments(text: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    found.push({ start, end: end + 3 })
    start = text.indexOf('<!--', end + 3)
  }
  return found
}
