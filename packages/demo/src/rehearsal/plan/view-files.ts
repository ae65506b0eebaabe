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
export function* viewFile(path: string): Plan<ViewedFile | null> {
  const [file] = yield* viewFiles([path])
  return file ?? null
}

/** Reads entire files, in order. An item is null if the file cannot be viewed. */
export function* viewFiles(paths: readonly string[]): Plan<(ViewedFile | null)[]> {
  const say = paths.length === 1 ? `Step: reading ${paths[0]}.` : `Step: reading ${paths.length} files.`
  const results = yield* callTools(
    say,
    paths.map((path) => ({ tool: 'view', input: { path } })),
  )
  const files: (ViewedFile | null)[] = []
  for (const [index, result] of results.entries()) {
    const path = paths[index] ?? ''
    files.push(result.isError ? null : yield* readOn(path, readPage(result.text)))
  }
  return files
}

function* readOn(path: string, page: Page): Plan<ViewedFile> {
  const { rows, total } = page
  for (let pages = 1; total !== null && lastOf(rows) < total; pages += 1) {
    if (pages > maxPages) throw new GiveUp(`${path} is too long for the rehearsal model (${total} lines).`)
    const from = lastOf(rows) + 1
    const range = [from, Math.min(total, from + pageLines - 1)]
    const result = yield* callTool(`Step: reading more of ${path}.`, 'view', { path, view_range: range })
    const more = readPage(result.text).rows
    if (result.isError || more.size === 0) throw new GiveUp(`${path} could not be read after line ${from - 1}.`)
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
