import { callTool, callTools, GiveUp, type Plan } from './plan.ts'

/** A file as returned by `view`, with LF line endings and without the final newline. */
export interface ViewedFile {
  path: string
  lines: string[]
}

interface Page {
  rows: Map<number, string>
  total: number | null
}

const pageLines = 600
const maxPages = 12

/** Reads an entire file, page by page. Returns null if it cannot be viewed. */
export function* viewFile(path: string, source?: string): Plan<ViewedFile | null> {
  const [file] = yield* viewFiles([path], source)
  return file ?? null
}

/**
 * Reads entire files, in order. An item is null if the file cannot be viewed.
 * @param source name of a source; default: the documentation repository
 */
export function* viewFiles(paths: readonly string[], source?: string): Plan<(ViewedFile | null)[]> {
  const what = paths.length === 1 ? paths[0] : `${paths.length} files`
  const from = source === undefined ? {} : { source }
  const results = yield* callTools(
    `Step: reading ${what}${source ? ` in the source ${source}` : ''}.`,
    paths.map((path) => ({ tool: 'view', input: { path, ...from } })),
  )
  const files: (ViewedFile | null)[] = []
  for (const [index, result] of results.entries()) {
    const path = paths[index] ?? ''
    files.push(result.isError ? null : yield* readOn(path, readPage(result.text), from))
  }
  return files
}

function* readOn(path: string, page: Page, from: { source?: string }): Plan<ViewedFile> {
  const { rows, total } = page
  for (let pages = 1; total !== null && lastOf(rows) < total; pages += 1) {
    if (pages > maxPages) throw new GiveUp(`${path} is too long for the rehearsal model (${total} lines).`)
    const first = lastOf(rows) + 1
    const view_range = [first, Math.min(total, first + pageLines - 1)]
    const result = yield* callTool(`Step: reading more of ${path}.`, 'view', { path, view_range, ...from })
    const more = readPage(result.text).rows
    if (result.isError || more.size === 0) throw new GiveUp(`${path} could not be read after line ${first - 1}.`)
    for (const [line, text] of more) rows.set(line, text)
  }
  return { path, lines: Array.from({ length: lastOf(rows) }, (_, index) => rows.get(index + 1) ?? '') }
}

function lastOf(rows: Map<number, string>): number {
  return Math.max(0, ...rows.keys())
}

/** Parses rows `N<TAB>text` below a header that may contain the number of lines. */
export function readPage(text: string): Page {
  const rows = new Map<number, string>()
  let total: number | null = null
  for (const line of text.split('\n')) {
    const [, number, rest] = /^\s*(\d+)\t(.*)$/.exec(line) ?? []
    if (number) rows.set(Number(number), rest ?? '')
    else if (rows.size === 0 && total === null) total = readTotal(line)
  }
  return { rows, total }
}

function readTotal(header: string): number | null {
  const count = /([\d,]+) lines?\b/.exec(header)?.[1]
  return count ? Number(count.replaceAll(',', '')) : null
}
