import type { Problem } from './problem.ts'

export interface SplitProblems {
  readonly introduced: readonly Problem[]
  readonly preexisting: readonly Problem[]
  /** Problems in `before` that no longer exist. */
  readonly fixed: readonly Problem[]
}

/**
 * Splits the problems in `after` by their presence in `before`. Problems are compared as a multiset
 * over (code, path, subject). Lines are excluded because every edit shifts them. `renames`
 * maps old paths to new ones, so that the existing problems of a moved page are not new. Unmatched
 * problems with a second subject are then compared by that subject, because a link is rewritten
 * when its page or target moves.
 */
export function splitIntroduced(
  before: readonly Problem[],
  after: readonly Problem[],
  renames: ReadonlyMap<string, string>,
): SplitProblems {
  const moved = before.map((problem) => ({
    ...problem,
    path: renames.get(problem.path) ?? problem.path,
    ...(problem.otherSubject === undefined ? {} : { otherSubject: toNewPlace(problem.otherSubject, renames) }),
  }))
  const first = match(moved, after, (problem) => problem.subject)
  const second = match(first.left, first.unmatched, (problem) => problem.otherSubject ?? null)
  return {
    introduced: second.unmatched,
    preexisting: after.filter((problem) => first.matched.has(problem) || second.matched.has(problem)),
    fixed: second.left,
  }
}

/** Replaces a moved file in a subject such as `guides/start.md#setup`. */
function toNewPlace(subject: string, renames: ReadonlyMap<string, string>): string {
  const hash = subject.indexOf('#')
  const path = hash === -1 ? subject : subject.slice(0, hash)
  return `${renames.get(path) ?? path}${subject.slice(path.length)}`
}

interface Matching {
  readonly matched: ReadonlySet<Problem>
  readonly unmatched: readonly Problem[]
  readonly left: readonly Problem[]
}

function match(
  before: readonly Problem[],
  after: readonly Problem[],
  toSubject: (problem: Problem) => string | null,
): Matching {
  const known = new Map<string, Problem[]>()
  for (const problem of before) {
    const key = toKey(problem, toSubject(problem))
    if (key === null) continue
    const same = known.get(key)
    if (same === undefined) known.set(key, [problem])
    else same.push(problem)
  }
  const matched = new Set<Problem>()
  const used = new Set<Problem>()
  for (const problem of after) {
    const key = toKey(problem, toSubject(problem))
    const other = key === null ? undefined : known.get(key)?.pop()
    if (other === undefined) continue
    matched.add(problem)
    used.add(other)
  }
  return {
    matched,
    unmatched: after.filter((problem) => !matched.has(problem)),
    left: before.filter((problem) => !used.has(problem)),
  }
}

function toKey({ code, path }: Problem, subject: string | null): string | null {
  return subject === null ? null : JSON.stringify([code, path, subject])
}
