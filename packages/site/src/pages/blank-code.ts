import { blankComments } from './blank-comments.ts'

const INLINE = /(?<!`)(`{1,3})(?!`)[^\n]{0,500}?(?<!`)\1(?!`)/g

/**
 * Replaces code blocks, code in a line, and comments with blanks, without parsing the page. The
 * result has the same length. Blanks some text that is not code, and misses some code.
 */
export function blankCode(text: string): string {
  const blank = (found: string) => ' '.repeat(found.length)
  let fence: string | null = null
  const lines = text.split('\n').map((line) => {
    const mark = /^[ \t>]{0,20}(`{3,20}|~{3,20})/.exec(line)?.[1]
    const isOpen = fence !== null
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (mark.startsWith(fence)) fence = null
    }
    return isOpen || mark !== undefined ? blank(line) : line.includes('`') ? line.replace(INLINE, blank) : line
  })
  return blankComments(lines.join('\n'))
}
