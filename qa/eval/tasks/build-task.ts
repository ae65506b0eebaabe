import { applySteps } from '../gold/apply-steps.ts'
import { applyOverlay } from '../run/apply-overlay.ts'
import { SITES, type SiteName, SPLITS } from '../sites/all-sites.ts'
import type { Grader } from '../task/grader.ts'
import type { Outcome } from '../task/outcome.ts'
import type { Ending, Family, Step, Task, TaskPolicy } from '../task/task.ts'
import { listChanged, type Tree } from '../task/tree.ts'

export type Mistake = readonly [how: string, steps: readonly Step[], ending?: Ending]

interface Common {
  readonly family: Family
  readonly name: string
  readonly site: SiteName
  readonly prompt: string
  readonly overlay?: Readonly<Record<string, string | null>>
  readonly earlier?: string
  readonly policy?: TaskPolicy
  readonly graders?: readonly Grader[]
}

export interface EditTask extends Common {
  readonly steps: readonly Step[]
  readonly title: string
  readonly body?: string
  /**
   * Number of lines around the gold solution's changes that may also differ. Default 0. Navigation
   * files are allowed one more, because a comma may move.
   */
  readonly slack?: number
  /** Files that may change although the gold solution does not change them. */
  readonly mayAlso?: readonly string[]
  readonly spoiled: readonly [Mistake, Mistake, Mistake, ...Mistake[]]
}

const PATIENCE = { times: 2, plus: 6 }

/**
 * Builds a task whose answer is a change. Adds graders that require the outcome, changes only where
 * the gold solution has them, a small diff, no new problems, and a valid title and body.
 */
export function buildEditTask(input: EditTask): Task {
  const { family, name, site, prompt, steps, title, slack = 0 } = input
  const base = applyOverlay(SITES[site](), input)
  const gold = applySteps(base, steps)
  const files = listChanged(base, gold)
  const modified = files.filter((path) => base.has(path) && gold.has(path))
  const ending: Ending = { outcome: 'changed', title, body: input.body ?? `${title}, as requested.` }
  const graders: Grader[] = [
    { kind: 'outcome', is: ['changed'] },
    { kind: 'only-changed', in: [...files, ...(input.mayAlso ?? [])] },
    ...modified.map(
      (path): Grader => ({ kind: 'rest-untouched', path, slack: isNavigation(path) ? slack + 1 : slack }),
    ),
    { kind: 'small-diff', ...PATIENCE },
    { kind: 'no-new-problems' },
    { kind: 'good-words' },
    ...(input.graders ?? []),
  ]
  return {
    ...toCommon(input),
    id: `${family}/${name}`,
    family,
    split: SPLITS[site],
    repository: { site },
    prompt,
    graders,
    gold: { steps, ending },
    spoiled: input.spoiled.map(([how, wrong, other]) => ({ how, steps: wrong, ending: other ?? ending })),
    opposite: { steps: [], ending: { outcome: 'no_change', reason: 'The documentation already contains this.' } },
  }
}

export interface QuietTask extends Common {
  readonly outcome: readonly Exclude<Outcome, 'changed'>[]
  /** Case-insensitive pattern that the reason must match. */
  readonly says: string
  readonly reason: string
  /** A tempting but wrong edit. */
  readonly edit: readonly Step[]
  readonly spoiled: readonly [Mistake, Mistake, Mistake]
}

/**
 * Builds a task whose correct answer is no change. No file may differ, and the reason must mention
 * the subject.
 */
export function buildQuietTask(input: QuietTask): Task {
  const { family, name, site, prompt, outcome, says, reason, edit } = input
  const first = outcome[0] ?? 'no_change'
  return {
    ...toCommon(input),
    id: `${family}/${name}`,
    family,
    split: SPLITS[site],
    repository: { site },
    prompt,
    graders: [
      { kind: 'outcome', is: outcome },
      { kind: 'nothing-changed' },
      { kind: 'says', where: 'reason', pattern: says },
      ...(input.graders ?? []),
    ],
    gold: { steps: [], ending: { outcome: first, reason } },
    spoiled: input.spoiled.map(([how, steps, ending]) => ({ how, steps, ending: ending ?? CHANGED })),
    opposite: { steps: edit, ending: CHANGED },
  }
}

const CHANGED: Ending = { outcome: 'changed', title: 'Change the page', body: 'The page was changed as requested.' }

function toCommon({ overlay, earlier, policy }: Common) {
  return {
    ...(overlay === undefined ? {} : { overlay }),
    ...(earlier === undefined ? {} : { earlier }),
    ...(policy === undefined ? {} : { policy }),
  }
}

const isNavigation = (path: string): boolean => /\.(json|ya?ml)$|(^|\/)SUMMARY\.md$/.test(path)

/** Returns the text of a site's file. @throws if the file does not exist */
export function getText(site: SiteName, path: string): string {
  const text = getTree(site).get(path)
  if (text === undefined) throw new Error(`Site ${site} does not contain ${path}.`)
  return text
}

const trees = new Map<SiteName, Tree>()

export function getTree(site: SiteName): Tree {
  const tree = trees.get(site) ?? SITES[site]()
  trees.set(site, tree)
  return tree
}
