const TOKEN = /#[^\n]*|[rRuUbBfF]{0,2}("""|'''|"|')|[[\](){}]|\n/g

/**
 * Returns the strings in the last assignment of a name at the start of a line: `name = "a"` or
 * `name = ["a", "b"]`. Returns an empty list if it is absent. Runs no code and skips everything
 * but strings.
 */
export function readPythonStrings(text: string, name: string): string[] {
  const assignment = [...text.matchAll(new RegExp(`^${name}[ \\t]{0,20}(?::[^=\\n]{0,200})?=`, 'gm'))].at(-1)
  if (assignment === undefined) return []
  const strings: string[] = []
  const token = new RegExp(TOKEN)
  token.lastIndex = assignment.index + assignment[0].length
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found, quote] = match
    if (quote !== undefined) {
      const end = findEnd(text, token.lastIndex, quote)
      if (end === null) break
      strings.push(text.slice(token.lastIndex, end))
      token.lastIndex = end + quote.length
    } else if (/[[({]/.test(found)) depth += 1
    else if (/[\])}]/.test(found)) depth -= 1
    else if (found === '\n' && depth <= 0) break
  }
  return strings
}

/** Returns the offset of a string's closing quote, or null if the string is not closed. */
function findEnd(text: string, start: number, quote: string): number | null {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text.startsWith(quote, at)) return at
    else if (text[at] === '\n' && quote.length === 1) return null
  }
  return null
}
