import type { WorkspaceEntry } from '@corrigenda/git/workspace'

const MAX = 3

/** Returns existing paths that resemble a missing one, best first. */
export function suggestPaths(path: string, entries: readonly WorkspaceEntry[]): string[] {
  const wanted = fold(path)
  const name = toName(wanted)
  const scored = entries.flatMap((entry) => {
    const candidate = fold(entry.path)
    const score =
      candidate === wanted || toStem(candidate) === toStem(wanted)
        ? 4
        : toName(candidate) === name
          ? 3
          : toStem(toName(candidate)) === toStem(name)
            ? 2
            : candidate.endsWith(`/${wanted}`) || isNear(toStem(toName(candidate)), toStem(name))
              ? 1
              : 0
    return score === 0 ? [] : [{ path: entry.path, score }]
  })
  return scored
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX)
    .map((candidate) => candidate.path)
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function toStem(path: string): string {
  return path.replace(/\.[a-z0-9]+$/, '')
}

/** Returns true if the edit distance between the names is at most two. */
function isNear(a: string, b: string): boolean {
  if (a.length < 4 || b.length < 4 || Math.abs(a.length - b.length) > 2 || a.length > 100) return false
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return (previous[b.length] ?? 3) <= 2
}
