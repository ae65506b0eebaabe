import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import { readAllText, toLines } from '@corrigenda/git/workspace'
import { RE2JS } from 're2js'
import { buildMatcher } from './list-files.ts'
import { defineTool, ToolError } from './tool.ts'
import { getReader } from './tool-path.ts'

const MAX_HITS = 100
const MAX_LINE_CHARS = 300

/** Tool that finds matching lines in the repository's text files. */
export const search = defineTool({
  name: 'search',
  description:
    'Search the text of all files, line by line. `mode` is literal by default; regex uses RE2 syntax. Rows have the form "path:line: text". With `output` set to files or counts, it returns one row per file; use counts first if you expect many matches. Returns at most 100 rows; use `offset` for more.',
  kind: 'read',
  async run(toolContext, input) {
    const workspace = getReader(toolContext, input.source)
    const { query, mode = 'literal', ignore_case = false, context = 0, output = 'lines', offset = 0 } = input
    if (query.trim() === '') throw new ToolError('The query is empty. Enter the text to search for.')
    if (mode === 'literal' && /[\r\n]/.test(query)) {
      throw new ToolError(
        'The query spans several lines, but the search works line by line. Search for its most distinctive line.',
      )
    }
    const matches = buildLineMatcher(query, mode, ignore_case)
    const entries = await workspace.list()
    const inGlob = input.glob === undefined ? () => true : buildMatcher(input.glob)
    const files = entries.filter((entry) => inGlob(entry.path))
    if (files.length === 0 && input.glob !== undefined) throw new ToolError(`No file matches the glob ${input.glob}.`)

    const rows: string[] = []
    let hits = 0
    let inFiles = 0
    for await (const { path, text } of readAllText(workspace, files)) {
      const found = await matches(text)
      if (found.length === 0) continue
      inFiles += 1
      const units = output === 'lines' ? found.length : 1
      const from = Math.max(0, offset - hits)
      const remaining = offset + MAX_HITS - Math.max(hits, offset)
      if (from < units && remaining > 0) {
        if (output === 'files') rows.push(path)
        else if (output === 'counts') rows.push(`${path}: ${found.length}`)
        else rows.push(...formatHits(path, toLines(text), found.slice(from, from + remaining), context))
      }
      hits += units
    }
    if (hits === 0) return await suggestNearestLines(input, readAllText(workspace, files))
    if (offset >= hits) throw new ToolError(`offset ${offset} is past the end (${hits} rows).`)
    const next = Math.min(hits, offset + MAX_HITS)
    const total =
      output === 'lines'
        ? `${hits} ${hits === 1 ? 'hit' : 'hits'} in ${inFiles} ${inFiles === 1 ? 'file' : 'files'}`
        : `${inFiles} ${inFiles === 1 ? 'file' : 'files'}`
    rows.push(
      next < hits ? `Rows ${offset + 1} to ${next} of ${total}. Narrow the query, or use offset=${next}.` : `${total}.`,
    )
    return rows.join('\n')
  },
})

/** Returns the 0-based indexes of matching lines. */
type LineMatcher = (text: string) => number[] | Promise<number[]>

function buildLineMatcher(query: string, mode: 'literal' | 'regex', ignoreCase: boolean): LineMatcher {
  if (mode === 'regex') return buildRegexMatcher(query, ignoreCase)
  const wanted = ignoreCase ? query.toLowerCase() : query
  return (text) => {
    const haystack = ignoreCase ? text.toLowerCase() : text
    if (!haystack.includes(wanted)) return []
    return toLines(haystack).flatMap((line, index) => (line.includes(wanted) ? [index] : []))
  }
}

/**
 * Maximum number of states in a compiled pattern. Counted repetitions are expanded, so `a{1000}`
 * has a thousand states.
 */
const MAX_STATES = 2_000
/**
 * Number of steps between yields to the event loop. Each character takes one step per state. 100
 * million steps take at most about one second of CPU time, and far less with ordinary patterns.
 */
const SLICE_STEPS = 20_000_000
const MAX_STEPS = 4_000_000_000

/**
 * Builds a matcher for a pattern written by the model. The engine does not backtrack, so its
 * running time is proportional to states times characters. A large pattern could still take minutes
 * over a whole repository, so the matcher yields to the event loop after each slice and stops at a
 * limit.
 */
function buildRegexMatcher(query: string, ignoreCase: boolean): LineMatcher {
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(query, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : ''
    const hint = /\(\?<?[=!]|\\\d/.test(query) ? ' Lookaround and back references are not supported (RE2).' : ''
    throw new ToolError(`The query is not a valid RE2 expression (${reason}).${hint} Use mode literal for plain text.`)
  }
  const states = pattern.programSize()
  if (states > MAX_STATES) {
    throw new ToolError(
      `The query is too large for a search (${states} states). Use smaller repetitions, or mode literal.`,
    )
  }
  const reach = Math.floor(SLICE_STEPS / states)
  let slice = 0
  let total = 0
  return async (text) => {
    const found: number[] = []
    for (const [index, line] of toLines(text).entries()) {
      const seen = line.length > reach ? line.slice(0, reach) : line
      const steps = (seen.length + 1) * states
      slice += steps
      total += steps
      if (total > MAX_STEPS) {
        throw new ToolError(
          'The query takes too long on this many files. Narrow `glob`, or use a simpler query or mode literal.',
        )
      }
      if (pattern.matcher(seen).find()) found.push(index)
      if (slice < SLICE_STEPS) continue
      slice = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    return found
  }
}

function formatHits(path: string, lines: readonly string[], found: readonly number[], context: number): string[] {
  const hits = new Set(found)
  const rows: string[] = []
  let shown = -1
  for (const hit of found) {
    const from = Math.max(hit - context, shown + 1)
    if (context > 0 && shown >= 0 && from > shown + 1) rows.push('--')
    for (let index = from; index <= Math.min(lines.length - 1, hit + context); index += 1) {
      const mark = hits.has(index) ? ':' : '-'
      rows.push(formatHit(path, mark, index + 1, lines[index] ?? ''))
      shown = index
    }
  }
  return rows
}

/** Formats a line of a file: a match (`:`) or a line near one (`-`). */
export function formatHit(path: string, mark: ':' | '-', line: number, text: string): string {
  return `${path}${mark}${line}${mark} ${clipLine(text)}`
}

function clipLine(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}… [${line.length} characters]`
}

/** Formats the lines that most resemble a query that has no matches. */
async function suggestNearestLines(
  input: { query: string; mode?: string | undefined; glob?: string | undefined },
  files: AsyncIterable<{ path: WorkspaceEntry['path']; text: string }>,
): Promise<string> {
  const loose = (text: string) =>
    text
      .toLowerCase()
      .replace(/[\s`*_"'“”‘’]+/g, ' ')
      .trim()
  const wanted = loose(input.query)
  const words = wanted.split(/[^\p{L}\p{N}-]+/u).filter((word) => word.length > 3)
  const near: { row: string; score: number }[] = []
  for await (const { path, text } of files) {
    if (input.mode === 'regex' || words.length === 0) break
    if (!words.some((word) => text.toLowerCase().includes(word))) continue
    for (const [index, line] of toLines(text).entries()) {
      const plain = loose(line)
      const score = plain.includes(wanted) ? 100 : words.filter((word) => plain.includes(word)).length
      if (score * 2 > words.length) near.push({ row: `${path} (line ${index + 1}): ${clipLine(line)}`, score })
    }
    if (near.length > 200) break
  }
  const best = near.sort((a, b) => b.score - a.score).slice(0, 3)
  const where = input.glob === undefined ? '' : ` in ${input.glob}`
  if (best.length === 0) return `No matches${where}.`
  return `No matches${where}. Nearest:\n${best.map(({ row }) => row).join('\n')}`
}
