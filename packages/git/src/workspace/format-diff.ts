import { countChangedLines, diffLines } from './diff-lines.ts'
import { decodeText, formatBytes, toLines } from './text-file.ts'
import type { WorkspaceChange } from './workspace.ts'

/** Returns the lines of one side of a change, or null if that side is not text. */
export function readLines(bytes: Uint8Array | null): string[] | null {
  if (bytes === null) return []
  const file = decodeText(bytes)
  return typeof file === 'string' ? null : toLines(file.text)
}

/** Formats one row per changed file, with the change type and the number of changed lines. */
export function formatDiffStat(changes: readonly WorkspaceChange[], maxRows = 50): string {
  const rows = changes.slice(0, maxRows).map((change) => {
    const before = readLines(change.before)
    const after = readLines(change.after)
    if (before === null || after === null) {
      return `${change.kind} ${change.path} (${formatBytes((change.after ?? change.before)?.length ?? 0)}, not text)`
    }
    const { added, removed } = countChangedLines(before, after)
    return `${change.kind} ${change.path} (+${added} -${removed})`
  })
  const more = changes.length - maxRows
  if (more > 0) rows.push(`… and ${more} more ${more === 1 ? 'file' : 'files'}`)
  return rows.join('\n')
}

/**
 * Formats a unified diff of all changes with three lines of context, truncated to `maxChars` at a
 * line boundary.
 */
export function formatDiff(changes: readonly WorkspaceChange[], maxChars: number): string {
  const out: string[] = []
  let size = 0
  for (const change of changes) {
    for (const line of toUnified(change)) {
      size += line.length + 1
      if (size > maxChars) {
        out.push('[the rest of the diff is omitted; view the files]')
        return out.join('\n')
      }
      out.push(line)
    }
  }
  return out.join('\n')
}

function* toUnified(change: WorkspaceChange): Generator<string> {
  yield `--- ${change.before === null ? '(new file)' : change.path}`
  yield `+++ ${change.after === null ? '(deleted)' : change.path}`
  const before = readLines(change.before)
  const after = readLines(change.after)
  if (before === null || after === null) return yield 'not text'
  if (change.after === null) return yield `(${before.length} ${before.length === 1 ? 'line' : 'lines'} deleted)`
  for (const hunk of diffLines(before, after)) {
    const from = Math.max(0, hunk.beforeStart - 3)
    const to = Math.min(before.length, hunk.beforeEnd + 3)
    yield `@@ line ${hunk.afterStart + 1} @@`
    for (const line of before.slice(from, hunk.beforeStart)) yield ` ${line}`
    for (const line of before.slice(hunk.beforeStart, hunk.beforeEnd)) yield `-${line}`
    for (const line of after.slice(hunk.afterStart, hunk.afterEnd)) yield `+${line}`
    for (const line of before.slice(hunk.beforeEnd, to)) yield ` ${line}`
  }
}
