import { LineCounter, parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from './measure-yaml-depth.ts'
import type { Problem } from './problem.ts'
import { readNavigation, toFolder, toPagePaths } from './read-navigation.ts'

/** How the message of an unreadable navigation file begins: it keeps the whole site from building. */
export const NAVIGATION_INVALID = 'The navigation file is not valid'

const MAX_YAML_CHARS = 262_144
const MAX_UNIQUE_CHARS = 32_768

/** Does a check exist for this navigation file? */
export function isNavigationFile(path: string): boolean {
  return /(^|\/)((docs|mint)\.json|mkdocs\.ya?ml)$/.test(path)
}

/** Faults in a navigation file: it does not parse, or names pages that `exists` does not know. */
export function findNavigationProblems(path: string, text: string, exists: (path: string) => boolean): Problem[] {
  return path.endsWith('.json') ? findInJson(path, text, exists) : findInYaml(path, text)
}

function findInJson(path: string, text: string, exists: (path: string) => boolean): Problem[] {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    return [broken(path, toJsonLine(said, text), 'JSON', said.replace(/\s*in JSON at position.*$/s, ''))]
  }
  const folder = toFolder(path)
  const lines = findStringLines(text)
  return readNavigation(config)
    .filter(({ page }) => !toPagePaths(page, folder).some(exists))
    .map(({ page, trail }) => ({
      check: 'navigation',
      code: 'navigation_missing_page',
      path,
      line: lines.get(JSON.stringify(page)) ?? null,
      subject: `${trail.join(' > ')} > ${page}`,
      message: `The navigation names the page ${JSON.stringify(page)}, which does not exist.`,
    }))
}

/** Tags such as `!ENV` and `!!python/name:` are ordinary in mkdocs.yml; the parser only warns of them. */
function findInYaml(path: string, text: string): Problem[] {
  if (text.length > MAX_YAML_CHARS) return [broken(path, null, 'YAML', 'it is larger than 256 KB.')]
  if (measureYamlDepth(text) > MAX_YAML_DEPTH)
    return [broken(path, null, 'YAML', `it nests more than ${MAX_YAML_DEPTH} levels deep.`)]
  const lines = new LineCounter()
  // Every key is compared with every other one.
  const uniqueKeys = text.length <= MAX_UNIQUE_CHARS
  const { errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent', uniqueKeys })
  const error = errors[0]
  if (error === undefined) return []
  return [broken(path, lines.linePos(error.pos[0]).line, 'YAML', error.message.split('\n', 1)[0] ?? '')]
}

function broken(path: string, line: number | null, format: string, detail: string): Problem {
  const message = `${NAVIGATION_INVALID} ${format}: ${detail}`
  return { check: 'navigation', code: 'navigation_invalid', path, line, subject: '', message }
}

function toJsonLine(message: string, text: string): number | null {
  const position = /position (\d+)/.exec(message)?.[1]
  return position === undefined ? null : text.slice(0, Number(position)).split('\n').length
}

/** First line of every string of a JSON text, as it is written there. One pass: there may be as many missing pages as strings. */
function findStringLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let line = 1
  for (const [token] of text.matchAll(/\n|"(?:[^"\\\n]|\\.)*"/g)) {
    if (token === '\n') line += 1
    else if (!lines.has(token)) lines.set(token, line)
  }
  return lines
}
