/**
 * Maximum number of block quotes and list items that start on one line. The parser processes each
 * of them again for every line.
 */
const MAX_CONTAINERS = 50
const MAX_INDENT = 1_000
/**
 * Maximum number of open braces. Each one is a level of recursion in the parser, and a stack
 * overflow can crash the whole process.
 */
const MAX_BRACES = 100
/**
 * Maximum number of pairs of marks in one paragraph that the parser may compare. 100 million take
 * about one second.
 */
const MAX_PAIRS = 100_000_000
/**
 * Maximum number of expression characters that are reparsed. The parser reparses an expression at
 * every closing brace.
 */
const MAX_REREAD = 20_000_000

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/
const NEW_BLOCK = /^(?:#{1,6}[ \t]|[-+*][ \t]+\S)/

/**
 * Returns the reason why a page cannot be parsed in reasonable time, as part of a sentence. Returns
 * null for all normal pages. Markdown parsers and the JavaScript parser in MDX take quadratic time
 * for some constructs, which are counted here in one pass.
 * @param hasExpressions false for plain Markdown, where braces are text
 */
export function findIntricacy(text: string, hasExpressions = true): string | null {
  let marks = 0
  let pairs = 0
  let reread = 0
  let offset = 0
  const open: number[] = []
  for (const line of text.split('\n')) {
    const prefix = CONTAINERS.exec(line)?.[0] ?? ''
    if (prefix.replace(/[ \t\d]/g, '').length > MAX_CONTAINERS) return 'it nests too many block quotes or lists'
    if (line.length - line.trimStart().length > MAX_INDENT) return 'a line is indented too far'
    if (line.trim() === '' || NEW_BLOCK.test(line)) marks = 0
    for (let at = 0; at < line.length; at += 1) {
      const char = line[at]
      if (char === '{' && hasExpressions) {
        open.push(offset + at)
        if (open.length > MAX_BRACES) return 'it nests too many braces'
      } else if (char === '}' && hasExpressions) {
        const start = open[0] ?? offset + at
        reread += offset + at - start
        // A quoted brace does not close an expression.
        if (!/["'`/\\]/.test(line[at - 1] ?? '')) open.pop()
        if (reread > MAX_REREAD) return 'its expressions are too long'
      } else if (char !== undefined && '[]*_~`$<:!&\\|='.includes(char)) {
        pairs += marks
        marks += 1
        if (pairs > MAX_PAIRS) return 'a paragraph has too many brackets, emphasis marks or similar characters'
      }
    }
    offset += line.length + 1
  }
  return null
}
