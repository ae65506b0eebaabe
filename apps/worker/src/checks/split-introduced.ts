import type { Problem } from './problem.ts'

/**
 * Problems of `after` that `before` does not have, as a multiset over (check, code, path, subject): lines are left out because every edit
 * moves them. `renames` maps old paths to new ones, so that a moved page keeps its old faults.
 */
export function splitIntroduced(
  before: readonly Problem[],
  after: readonly Problem[],
  renames: ReadonlyMap<string, string>,
): { introduced: Problem[]; preexisting: Problem[] } {
  const left = new Map<string, number>()
  for (const problem of before) {
    const key = toKey({ ...problem, path: renames.get(problem.path) ?? problem.path })
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  const introduced: Problem[] = []
  const preexisting: Problem[] = []
  for (const problem of after) {
    const key = toKey(problem)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    ;(count > 0 ? preexisting : introduced).push(problem)
  }
  return { introduced, preexisting }
}

function toKey({ check, code, path, subject }: Problem): string {
  return JSON.stringify([check, code, path, subject])
}
