import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { diffLines, readLines } from '@corrigenda/git/workspace'

interface AddedLine {
  readonly path: string
  /** 1-based, in the new file. */
  readonly line: number
  readonly text: string
}

/**
 * Returns the contents of every changed file before and after the change. For a new file with the
 * name of a deleted one, the content before is that of the deleted file.
 */
export function pairMoved(changes: readonly WorkspaceChange[]): Pick<WorkspaceChange, 'path' | 'before' | 'after'>[] {
  const moved = new Map<string, Uint8Array[]>()
  for (const { path, before, after } of changes) {
    if (before === null || after !== null) continue
    const name = toName(path)
    moved.set(name, [...(moved.get(name) ?? []), before])
  }
  return changes.flatMap(({ path, before, after }) => {
    if (after === null) return []
    const sources = before === null ? (moved.get(toName(path)) ?? []) : [before]
    const exact = sources.find((bytes) => Buffer.compare(bytes, after) === 0)
    return [{ path, before: exact ?? sources[0] ?? null, after }]
  })
}

/**
 * Returns every line that a change adds to a text file. Excludes the lines in a file that was only
 * moved.
 */
export function toAddedLines(changes: readonly WorkspaceChange[]): AddedLine[] {
  return pairMoved(changes).flatMap((change) => {
    const after = change.after === null ? null : readLines(change.after)
    if (after === null) return []
    const before = readLines(change.before) ?? []
    return diffLines(before, after).flatMap((hunk) =>
      after
        .slice(hunk.afterStart, hunk.afterEnd)
        .map((text, index) => ({ path: change.path, line: hunk.afterStart + index + 1, text })),
    )
  })
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
