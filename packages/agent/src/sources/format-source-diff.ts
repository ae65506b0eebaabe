import { diffLines, type Hunk } from '@corrigenda/git/workspace'

const CONTEXT = 3
const MAX_CHARS = 24_576
const MAX_LINE_CHARS = 2_000

/**
 * Formats a unified diff of two versions of a file, cut at 24 KB. Each row starts with `@@`, a
 * space, `+` or `-`.
 */
export function formatSourceDiff(before: readonly string[], after: readonly string[]): string {
  const rows: string[] = []
  let size = 0
  for (const row of toRows(before, after)) {
    const shown = row.length > MAX_LINE_CHARS ? `${row.slice(0, MAX_LINE_CHARS)}… [${row.length - 1} characters]` : row
    size += shown.length + 1
    if (size > MAX_CHARS) return [...rows, '[the rest of the diff is omitted; view the file]'].join('\n')
    rows.push(shown)
  }
  return rows.join('\n')
}

function* toRows(before: readonly string[], after: readonly string[]): Generator<string> {
  for (const hunks of toGroups(diffLines(before, after))) {
    const first = hunks[0]
    const last = hunks.at(-1)
    if (first === undefined || last === undefined) continue
    const lead = Math.min(CONTEXT, first.beforeStart)
    const tail = Math.min(CONTEXT, before.length - last.beforeEnd)
    const removed = toSpan(first.beforeStart - lead, last.beforeEnd + tail)
    const added = toSpan(first.afterStart - lead, last.afterEnd + tail)
    yield `@@ -${removed} +${added} @@`
    let at = first.beforeStart - lead
    for (const hunk of hunks) {
      for (const line of before.slice(at, hunk.beforeStart)) yield ` ${line}`
      for (const line of before.slice(hunk.beforeStart, hunk.beforeEnd)) yield `-${line}`
      for (const line of after.slice(hunk.afterStart, hunk.afterEnd)) yield `+${line}`
      at = hunk.beforeEnd
    }
    for (const line of before.slice(at, at + tail)) yield ` ${line}`
  }
}

/** Groups hunks whose context would overlap. */
function toGroups(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const previous = groups.at(-1)?.at(-1)
    if (previous !== undefined && hunk.beforeStart - previous.beforeEnd <= CONTEXT * 2) groups.at(-1)?.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

/** Formats a 0-based range, end exclusive. An empty range names the line before it. */
function toSpan(start: number, end: number): string {
  return `${end === start ? start : start + 1},${end - start}`
}
