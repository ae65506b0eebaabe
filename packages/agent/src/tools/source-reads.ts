import { DOCS_SOURCE, type ToolCall } from '@corrigenda/contracts'

/** Inclusive, 1-based. */
type LineRange = readonly [first: number, last: number]

/** What a run has read of its sources, by source name. */
export type SourceReads = Readonly<Record<string, SourceRead>>

interface SourceRead {
  /** Lines shown by `view` and `source_changes`, by path. */
  readonly ranges: Readonly<Record<string, readonly LineRange[]>>
  /** Rows shown by `search`, verbatim. They are compared with the rows of the cited lines. */
  readonly rows: readonly string[]
  /** Paths whose diff `source_changes` showed. A diff has lines that the file no longer has. */
  readonly diffs: readonly string[]
}

const NOTHING: SourceRead = { ranges: {}, rows: [], diffs: [] }

/**
 * Adds what a successful call showed to the model. Depends only on the call and its result, so that
 * a worker that takes over a run has the same record.
 */
export function addSourceRead(reads: SourceReads, call: ToolCall, result: string): SourceReads {
  const { source } = call.input as { source?: string }
  if (source === undefined) return reads
  const before = (Object.hasOwn(reads, source) ? reads[source] : undefined) ?? NOTHING
  const update = (read: SourceRead): SourceReads => Object.assign(Object.create(null), reads, { [source]: read })
  switch (call.name) {
    case 'list_files':
      return update(before)
    case 'search':
      return update({ ...before, rows: [...before.rows, ...result.split('\n')] })
    case 'view':
    case 'source_changes': {
      if (call.input.path === undefined) return update(before)
      const path = toPlainPath(call.input.path)
      const shown = call.name === 'view' ? toViewed(result, call.input.view_range?.[0] ?? 1) : toDiffed(result)
      const known = (Object.hasOwn(before.ranges, path) ? before.ranges[path] : undefined) ?? []
      return update({
        ...before,
        diffs: call.name === 'view' || before.diffs.includes(path) ? before.diffs : [...before.diffs, path],
        ranges: Object.assign(Object.create(null), before.ranges, { [path]: [...known, ...shown] }),
      })
    }
    default:
      return reads
  }
}

/** Returns true if `view` or `source_changes` showed a line. */
export function isLineShown(read: SourceRead, path: string, line: number): boolean {
  const ranges = Object.hasOwn(read.ranges, path) ? read.ranges[path] : undefined
  return ranges?.some(([first, last]) => first <= line && line <= last) ?? false
}

/** Returns the sources that a run has read, other than the documentation repository. */
export const listSourcesRead = (reads: SourceReads): string[] =>
  Object.keys(reads).filter((name) => name !== DOCS_SOURCE)

/** Like `parsePath`, for a path that the tool has accepted. */
const toPlainPath = (path: string): string => path.replace(/^(\.\/)+/, '').replace(/(?<!\/)\/+$/, '')

/** The rows after the header are numbered without gaps, so a line cannot pretend to be another. */
function toViewed(result: string, first: number): LineRange[] {
  let next = first
  for (const row of result.split('\n').slice(1)) {
    if (!row.startsWith(`${next}\t`)) break
    next += 1
  }
  return next === first ? [] : [[first, next - 1]]
}

/** Lines of the newer version. A row of the file never starts with `@@`. */
function toDiffed(result: string): LineRange[] {
  const ranges: LineRange[] = []
  let start = 0
  let next = 0
  const close = () => {
    if (next > start) ranges.push([start, next - 1])
    start = next
  }
  for (const row of result.split('\n').slice(1)) {
    const header = /^@@ -\d+,\d+ \+(\d+),\d+ @@$/.exec(row)
    if (header !== null) {
      close()
      start = next = Number(header[1])
    } else if (/^[ +]/.test(row)) {
      next += 1
    }
  }
  close()
  return ranges
}
