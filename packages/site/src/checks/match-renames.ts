import { readLines } from '../workspace/text-file.ts'
import type { WorkspaceChange } from '../workspace/workspace.ts'

/**
 * Maximum number of pairs compared line by line. If more pairs are possible, only identical files
 * are matched.
 */
const MAX_PAIRS = 2_500
/** Maximum number of lines compared across all pairs. */
const MAX_LINES = 2_000_000

/**
 * Returns the new paths of moved files, keyed by old path. Matches identical bytes first, then
 * files that share at least half of their lines.
 */
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
  const sources = deleted.filter((from) => !renames.has(from.path)).map((from) => ({ from, lines: count(from.before) }))
  const targets = added.filter((to) => !taken.has(to.path)).map((to) => ({ to, lines: count(to.after) }))
  const work = sources.length * targets.reduce((sum, { lines }) => sum + lines.distinct.size, 0)
  if (work > MAX_LINES) return renames
  for (const { from, lines } of sources) {
    const scored = targets
      .filter(({ to }) => !taken.has(to.path))
      .map((target) => ({ to: target.to, score: toSimilarity(lines, target.lines) }))
      .sort((a, b) => b.score - a.score)
    const best = scored[0]
    if (best !== undefined && best.score >= 0.5) pair(from, best.to)
  }
  return renames
}

function isEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0
}

interface LineCount {
  readonly total: number
  /** Number of occurrences keyed by non-blank line. */
  readonly distinct: ReadonlyMap<string, number>
}

function count(bytes: Uint8Array | null): LineCount {
  const distinct = new Map<string, number>()
  let total = 0
  for (const line of readLines(bytes) ?? []) {
    if (line.trim() === '') continue
    total += 1
    distinct.set(line, (distinct.get(line) ?? 0) + 1)
  }
  return { total, distinct }
}

/** Returns the number of shared non-blank lines divided by the longer file's line count. */
function toSimilarity(before: LineCount, after: LineCount): number {
  let shared = 0
  for (const [line, times] of after.distinct) shared += Math.min(times, before.distinct.get(line) ?? 0)
  return shared / Math.max(1, before.total, after.total)
}
