import { Lexer } from 'yaml'
import type { PageCode } from './page-code.ts'

/** Tags of YAML's own types, which every parser turns into plain values. */
const PLAIN = /^!(?:|!(?:str|int|float|bool|null|map|seq|set|omap|timestamp|binary|merge))$/
/** Lines of a value that are compared. */
const MAX_LINES = 50
/** The token that precedes the text of a scalar without quotes. */
const SCALAR = '\u001f'

/**
 * Lists the tags of YAML text, except those of plain types, and its directives. Parsers construct
 * objects, read the environment or call functions for them. Linear in the length of the text.
 * @param firstLine the line at which the text starts in its file
 */
export function listYamlTags(yaml: string, firstLine = 1): PageCode[] {
  const found: PageCode[] = []
  const lines = yaml.split('\n')
  let line = firstLine
  let previous = ''
  for (const token of new Lexer().lex(yaml)) {
    const isMark = previous !== SCALAR && /^[!%]/.test(token)
    if (isMark && !PLAIN.test(token)) {
      found.push({ kind: 'yaml-tags', line, source: readValue(lines, line - firstLine, token) })
    }
    line += token.split('\n').length - 1
    previous = token
  }
  return found
}

/** Returns a tag with its value: the rest of its line, or the indented lines after it. */
function readValue(lines: readonly string[], at: number, tag: string): string {
  const row = lines[at] ?? ''
  const rest = row.slice(row.indexOf(tag)).trim()
  if (rest !== tag) return rest
  const indent = row.search(/\S/)
  const end = lines.findIndex(
    (one, n) => n > at && one.trim() !== '' && one.search(/\S/) <= indent && !/^\s*-/.test(one),
  )
  return lines
    .slice(at, Math.min(end < 0 ? lines.length : end, at + MAX_LINES))
    .join('\n')
    .trim()
}
