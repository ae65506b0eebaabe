import { countChangedLines, diffLines } from '@corrigenda/worker/parts'
import type { Grader } from '../task/grader.ts'
import { buildMatcher } from '../task/match-glob.ts'
import { listChanged, type Tree, toPlain, toRawLines } from '../task/tree.ts'
import type { GradeContext } from './attempt.ts'

const KINDS = [
  'nothing-changed',
  'only-changed',
  'moved',
  'same-as-gold',
  'untouched',
  'rest-untouched',
  'code-untouched',
  'small-diff',
  'file-overlap',
] as const

export type DiffGrader = Extract<Grader, { kind: (typeof KINDS)[number] }>

export const isDiffGrader = (grader: Grader): grader is DiffGrader => KINDS.some((kind) => kind === grader.kind)

/** Grades the differences from the base. Returns null if the attempt passes. */
export function gradeDiff(grader: DiffGrader, after: Tree, { base, gold }: GradeContext): string | null {
  switch (grader.kind) {
    case 'nothing-changed': {
      const [first] = listChanged(base, after)
      return first === undefined ? null : `${first} was changed.`
    }
    case 'only-changed': {
      const allowed = grader.in.map(buildMatcher)
      const other = listChanged(base, after).find((path) => !allowed.some((matches) => matches(path)))
      return other === undefined ? null : `${other} was also changed.`
    }
    case 'untouched': {
      const matches = buildMatcher(grader.in)
      const other = listChanged(base, after).find(matches)
      return other === undefined ? null : `${other} was changed.`
    }
    case 'same-as-gold':
      return after.get(grader.path) === gold.get(grader.path) ? null : `${grader.path} differs from the gold solution.`
    case 'moved':
      return gradeMoved(grader, base, after)
    case 'rest-untouched':
      return gradeRest(grader, { base, gold }, after)
    case 'code-untouched': {
      const same = toCodeBlocks(base.get(grader.path) ?? '') === toCodeBlocks(after.get(grader.path) ?? '')
      return same ? null : `A code block in ${grader.path} was changed.`
    }
    case 'small-diff': {
      const lines = countLines(base, after)
      const most = Math.floor(countLines(base, gold) * grader.times) + (grader.plus ?? 2)
      return lines <= most ? null : `The change has ${lines} lines, expected at most ${most}.`
    }
    case 'file-overlap': {
      const overlap = toOverlap(listChanged(base, after), listChanged(base, gold))
      return overlap >= grader.min ? null : `The changed files overlap by only ${overlap.toFixed(2)}.`
    }
  }
}

function gradeMoved(grader: Extract<DiffGrader, { kind: 'moved' }>, base: Tree, after: Tree): string | null {
  if (after.has(grader.path)) return `${grader.path} still exists.`
  const now = after.get(grader.to)
  if (now === undefined) return `${grader.to} does not exist.`
  const before = toRawLines(toPlain(base.get(grader.path) ?? ''))
  const { removed } = countChangedLines(before, toRawLines(toPlain(now)))
  const kept = 1 - removed / Math.max(1, before.length)
  const wanted = grader.keeps ?? 0.9
  return kept >= wanted ? null : `${grader.to} keeps ${Math.round(kept * 100)}% of the lines from ${grader.path}.`
}

/** Compares lines including their line endings, so a changed line ending is a changed line. */
function gradeRest(
  grader: Extract<DiffGrader, { kind: 'rest-untouched' }>,
  { base, gold }: Pick<GradeContext, 'base' | 'gold'>,
  after: Tree,
): string | null {
  const { path, slack = 0 } = grader
  const before = toRawLines(base.get(path) ?? '')
  const wanted = diffLines(before, toRawLines(gold.get(path) ?? ''))
  for (const hunk of diffLines(before, toRawLines(after.get(path) ?? ''))) {
    // A diff can place an insertion before or after an identical neighboring line.
    const reach = hunk.beforeStart === hunk.beforeEnd ? slack + 1 : slack
    const known = wanted.some(
      (one) => hunk.beforeStart >= one.beforeStart - reach && hunk.beforeEnd <= one.beforeEnd + reach,
    )
    if (!known) return `${path} was also changed at line ${hunk.beforeStart + 1}.`
  }
  return null
}

const CODE_FENCE = /^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1[ \t]*$/gm

const toCodeBlocks = (text: string): string =>
  [...toPlain(text).matchAll(CODE_FENCE)].map(([block]) => block).join('\n')

function countLines(before: Tree, after: Tree): number {
  return listChanged(before, after).reduce((sum, path) => {
    const { added, removed } = countChangedLines(toRawLines(before.get(path) ?? ''), toRawLines(after.get(path) ?? ''))
    return sum + added + removed
  }, 0)
}

/** Returns the F1 score of two lists of paths, or 1 if both are empty. */
function toOverlap(found: readonly string[], wanted: readonly string[]): number {
  if (found.length + wanted.length === 0) return 1
  const shared = found.filter((path) => wanted.includes(path)).length
  return (2 * shared) / (found.length + wanted.length)
}
