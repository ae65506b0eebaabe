import { readLines } from '../agent/format-diff.ts'
import type { WorkspaceChange } from '../agent/workspace.ts'

/** Pairs compared line by line at most; a change with more moved files is matched by equal bytes alone. */
const MAX_PAIRS = 2_500

/** New path by old path, for files that a change moved: equal bytes first, then at least half of the lines in common. */
export function matchRenames(changes: readonly WorkspaceChange[]): Map<string, string> {
  const deleted = changes.filter((change) => change.kind === 'deleted')
  const added = changes.filter((change) => change.kind === 'added')
  const renames = new Map<string, string>()
  const taken = new Set<string>()
  const pair = (from: WorkspaceChange, to: WorkspaceChange) => {
    renames.set(from.path, to.path)
    taken.add(to.path)
  }
  for (const from of deleted) {
    const same = added.find((to) => !taken.has(to.path) && isEqual(from.before, to.after))
    if (same !== undefined) pair(from, same)
  }
  if (deleted.length * added.length > MAX_PAIRS) return renames
  for (const from of deleted) {
    if (renames.has(from.path)) continue
    const scored = added
      .filter((to) => !taken.has(to.path))
      .map((to) => ({ to, score: toSimilarity(from.before, to.after) }))
      .sort((a, b) => b.score - a.score)
    const best = scored[0]
    if (best !== undefined && best.score >= 0.5) pair(from, best.to)
  }
  return renames
}

function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0
}

/** Shared non-blank lines over those of the longer file. */
function toSimilarity(before: Uint8Array | null, after: Uint8Array | null): number {
  const a = (readLines(before) ?? []).filter((line) => line.trim() !== '')
  const b = (readLines(after) ?? []).filter((line) => line.trim() !== '')
  const left = new Map<string, number>()
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of b) {
    const count = left.get(line) ?? 0
    if (count > 0) {
      shared += 1
      left.set(line, count - 1)
    }
  }
  return shared / Math.max(1, a.length, b.length)
}
