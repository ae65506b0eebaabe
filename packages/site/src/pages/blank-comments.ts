/**
 * Replaces comments with blanks. A regular expression would scan to the end of the page for each
 * unclosed comment.
 */
export function blankComments(text: string): string {
  let out = ''
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    out += text.slice(at, start) + text.slice(start, end + 3).replace(/[^\n]/g, ' ')
    at = end + 3
  }
  return out + text.slice(at)
}
