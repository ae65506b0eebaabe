/** A call to one of the product's tools. */
interface Call {
  tool: string
  input: Record<string, unknown>
}

export interface CallResult {
  text: string
  isError: boolean
}

/** One turn, with a sentence for users and at most `MAX_CALLS` calls. */
export interface Step {
  say: string
  calls: Call[]
}

/**
 * A unit of work as a coroutine, which yields turns and receives their results. It must not read
 * anything else, so that a replay of recorded results leads to the same state.
 */
export type Plan<T> = Generator<Step, T, CallResult[]>

/** Lines of a source that support a change to a page. */
export interface Evidence {
  page: string
  source: string
  path: string
  fromLine: number
  toLine: number
  note: string
}

/** How a request ended. */
export type Ending =
  | { outcome: 'changed'; title: string; body: string; evidence?: readonly Evidence[] }
  | { outcome: 'no_change'; reason: string }
  | NeedsInput

/**
 * A question. Each choice is a prompt, and any answer selects one of them. Without choices, the
 * answer is a new request.
 */
export interface NeedsInput {
  outcome: 'needs_input'
  reason: string
  choices: readonly string[]
}

/** Ends a request with a question, from inside its plan. */
export class Question extends Error {
  readonly choices: readonly string[]
  constructor(reason: string, choices: readonly string[] = []) {
    super(reason)
    this.name = 'Question'
    this.choices = choices
  }
}

const MAX_CALLS = 8

export function* callTool(say: string, tool: string, input: Record<string, unknown>): Plan<CallResult> {
  const [result] = yield* callTools(say, [{ tool, input }])
  return result ?? { text: '', isError: true }
}

/** Runs calls in turns of at most eight. Results are in the order of the calls. */
function* callTools(say: string, calls: readonly Call[]): Plan<CallResult[]> {
  const results: CallResult[] = []
  for (let start = 0; start < calls.length; start += MAX_CALLS) {
    const batch = calls.slice(start, start + MAX_CALLS)
    const part = calls.length > MAX_CALLS ? ` (${start + 1} to ${start + batch.length} of ${calls.length})` : ''
    const given = yield { say: `Step: ${say}${part}.`, calls: batch }
    results.push(...batch.map((_, index) => given[index] ?? { text: 'The call has no result.', isError: true }))
  }
  return results
}

export interface Hit {
  path: string
  line: number
  text: string
}

interface SearchInput {
  query: string
  /** What is searched for, in words. */
  label: string
  /** Default: literal. Regular expressions have the syntax of RE2. */
  mode?: 'literal' | 'regex'
  ignoreCase?: boolean
  glob?: string | null
  /** Name of a source. Default: the documentation repository. */
  source?: string
}

const MAX_PAGES = 10

/** Returns the lines that match, from at most ten pages of results. */
export function* searchText(input: SearchInput): Plan<Hit[]> {
  const { query, label, mode = 'literal', ignoreCase = false, glob, source } = input
  const hits: Hit[] = []
  let offset = 0
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const where = source ? ` in the source ${source}` : glob && !glob.startsWith('**') ? ` in ${glob}` : ''
    const result = yield* callTool(`searching for ${label}${where}`, 'search', {
      query,
      mode,
      ...(ignoreCase ? { ignore_case: true } : {}),
      ...(glob ? { glob } : {}),
      ...(source ? { source } : {}),
      ...(offset > 0 ? { offset } : {}),
    })
    if (result.isError) throw new Question(`The search for ${label} failed: ${toFirstLine(result)}`)
    // Rows below "No matches" are suggestions.
    if (result.text.startsWith('No matches')) return hits
    for (const row of result.text.split('\n')) {
      const [, path, line, text = ''] = /^(.+?):(\d+): ?(.*)$/.exec(row) ?? []
      if (path && line) hits.push({ path, line: Number(line), text })
    }
    const next = Number(/^Rows .*\boffset=(\d+)\.$/m.exec(result.text)?.[1] ?? 0)
    if (next <= offset) return hits
    offset = next
  }
  throw new Question(`Too many lines contain ${label}. Name the pages to change.`)
}

/** A file, with LF line endings and without the final newline. */
export interface ViewedFile {
  path: string
  lines: string[]
}

/**
 * Reads files in order, without those that cannot be read.
 * @param source name of a source; default: the documentation repository
 */
export function* viewFiles(paths: readonly string[], source?: string): Plan<ViewedFile[]> {
  const from = source === undefined ? {} : { source }
  const what = `${paths.length === 1 ? paths[0] : `${paths.length} files`}${source ? ` in the source ${source}` : ''}`
  const calls = paths.map((path) => ({ tool: 'view', input: { path, ...from } }))
  const results = yield* callTools(`reading ${what}`, calls)
  const files: ViewedFile[] = []
  for (const [index, result] of results.entries()) {
    const path = paths[index] ?? ''
    const lines = toLines(result.text)
    const total = Number(/^.*?: (\d+) lines?\b/.exec(result.text)?.[1] ?? lines.length)
    while (!result.isError && lines.length < total) {
      const view_range = [lines.length + 1, total]
      const more = toLines((yield* callTool(`reading more of ${path}`, 'view', { path, view_range, ...from })).text)
      if (more.length === 0) throw new Question(`${path} could not be read after line ${lines.length}.`)
      lines.push(...more)
    }
    if (!result.isError) files.push({ path, lines })
  }
  return files
}

/** Returns the lines in rows `N<TAB>text`. */
const toLines = (text: string): string[] => [...text.matchAll(/^\s*\d+\t(.*)$/gm)].map(([, line = '']) => line)

/** A replacement of `oldText`, which occurs `count` times in the file. */
export interface TextEdit {
  path: string
  oldText: string
  newText: string
  count: number
}

interface EditReport {
  done: TextEdit[]
  /** A paragraph about rejected edits, or null. */
  failures: string | null
}

/**
 * Performs the edits.
 * @throws Question if every edit is rejected
 */
export function* editFiles(say: string, edits: readonly TextEdit[]): Plan<EditReport> {
  const calls = edits.map(({ path, oldText, newText, count }) => ({
    tool: 'edit',
    input: {
      path,
      old_str: oldText,
      new_str: newText,
      ...(count === 1 ? {} : { expected_replacements: count }),
    },
  }))
  const results = yield* callTools(say, calls)
  const done = edits.filter((_, index) => results[index]?.isError === false)
  const rows = edits.flatMap(({ path }, index) => {
    const result = results[index]
    return result?.isError ? [`\`${path}\`: ${quote(toFirstLine(result), 160)}`] : []
  })
  const failures = rows.length === 0 ? null : `Not changed, because the edit was rejected:\n\n${toList(rows)}`
  if (edits.length > 0 && done.length === 0) throw new Question(failures ?? '')
  return { done, failures }
}

/** Builds the edit of one line, 1-based, with as many preceding lines as make the old text unique. */
export function buildLineEdit({ path, lines }: ViewedFile, line: number, newLine: string): TextEdit {
  const text = lines.join('\n')
  let from = line - 1
  const toOld = () => lines.slice(from, line).join('\n')
  while (from > 0 && countText(text, toOld()) > 1) from -= 1
  return { path, oldText: toOld(), newText: [...lines.slice(from, line - 1), newLine].join('\n'), count: 1 }
}

export const countText = (text: string, part: string): number => text.split(part).length - 1

/** Returns the first line of a tool's error, for use in a sentence. */
export const toFirstLine = ({ text }: CallResult): string => text.split('\n')[0]?.trim() || 'no reason was given'

/** Formats text from a prompt or a file for a sentence: one line, no markup, limited length. */
export function quote(text: string, length = 60): string {
  const plain = text.replace(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('>', '›').replaceAll('![', '! [').trim()
  return `"${plain.length > length ? `${plain.slice(0, length - 1)}…` : plain}"`
}

const MAX_LISTED = 20

export function toList(items: readonly string[]): string {
  const rows = items.slice(0, MAX_LISTED).map((item) => `- ${item}`)
  return [...rows, ...(items.length > MAX_LISTED ? [`- and ${items.length - MAX_LISTED} more`] : [])].join('\n')
}

/** Joins paragraphs. */
export const toText = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join('\n\n')

export const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`
