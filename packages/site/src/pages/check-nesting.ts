import { TooIntricate } from './too-intricate.ts'

/**
 * Maximum number of block quotes and list items that start on one line. The parser processes each
 * of them again for every line.
 */
const MAX_CONTAINERS = 50
const MAX_INDENT = 1_000

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/

/**
 * Throws if the parser would take quadratic time to find the blocks of a page.
 * @throws TooIntricate
 */
export function checkNesting(text: string): void {
  for (const line of text.split('\n')) {
    const prefix = CONTAINERS.exec(line)?.[0] ?? ''
    if (prefix.replace(/[ \t\d]/g, '').length > MAX_CONTAINERS)
      throw new TooIntricate('it nests too many block quotes or lists')
    if (line.length - line.trimStart().length > MAX_INDENT) throw new TooIntricate('a line is indented too far')
  }
}
