interface HasPath {
  readonly path: string
}

/** Finds the entry at a path in a list sorted by path in code-unit order. */
export function findEntry<T extends HasPath>(entries: readonly T[], path: string): T | null {
  const entry = entries[findStart(entries, path)]
  return entry?.path === path ? entry : null
}

/** Returns true if an entry below a prefix (which ends with a slash) passes the test. */
export function hasBelow<T extends HasPath>(
  entries: readonly T[],
  prefix: string,
  test: (entry: T) => boolean,
): boolean {
  for (let at = findStart(entries, prefix); at < entries.length; at++) {
    const entry = entries[at]
    if (!entry?.path.startsWith(prefix)) return false
    if (test(entry)) return true
  }
  return false
}

/** Returns the index of the first entry whose path does not sort before `path`. */
function findStart(entries: readonly HasPath[], path: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.path ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}
