import type { Evidence } from '@corrigenda/contracts'
import { applySteps } from '../gold/apply-steps.ts'
import { applyOverlay } from '../run/apply-overlay.ts'
import { SITES } from '../sites/all-sites.ts'
import type { Grader } from '../task/grader.ts'
import { readSourceTrees } from '../task/read-source-trees.ts'
import type { Ending, Step, Task, TaskSource } from '../task/task.ts'
import { buildEditTask, buildQuietTask, type EditTask, type Mistake, type QuietTask } from './build-task.ts'
import { write } from './steps.ts'

/** A fact of a page, and the text of the source that states it. The text occurs once in the file. */
interface Cite {
  readonly page: string
  readonly source: string
  readonly path: string
  readonly text: string
}

export interface SourceEditTask extends Omit<EditTask, 'family' | 'spoiled'> {
  readonly sources: readonly TaskSource[]
  readonly cites: readonly Cite[]
  /** Mistakes with correct evidence, such as an invented value. */
  readonly wrong: readonly [Mistake, ...Mistake[]]
}

const family = 'from-source'

/**
 * Builds a task whose answer is a change with facts from a source. Adds graders that require the
 * evidence and no text of private sources, and mistakes: no evidence, evidence for the wrong lines
 * and, for a private source, copied code.
 */
export function buildSourceTask({ sources, cites, wrong, ...input }: SourceEditTask): Task {
  const { title, body = `${title}. The facts are in the code.`, steps } = input
  const evidence = cites.map((cite) => toEvidence(sources, cite))
  const ending: Ending = { outcome: 'changed', title, body, evidence }
  const [first, ...more] = wrong.map(([how, other, end]): Mistake => [how, other, end ?? ending])
  if (first === undefined) throw new Error(`${input.name} has no mistake.`)
  const graders: Grader[] = cites.map(({ page, ...lines }) => ({ kind: 'evidence', page, lines: [lines] }))
  const task = buildEditTask({
    ...input,
    family,
    body,
    graders: [...(input.graders ?? []), ...graders, { kind: 'no-passages' }],
    spoiled: [
      first,
      ['no evidence', steps, { outcome: 'changed', title, body }],
      [
        'evidence for the wrong lines',
        steps,
        { ...ending, evidence: evidence.map((entry) => toOtherLines(sources, entry)) },
      ],
      ...more,
      ...toCopies({ ...input, sources, cites }, ending),
    ],
  })
  return { ...task, sources, gold: { steps, ending } }
}

/** Builds a task with sources whose correct answer is no change. */
export function buildQuietSourceTask({
  sources,
  ...input
}: Omit<QuietTask, 'family'> & { readonly sources: readonly TaskSource[] }): Task {
  return { ...buildQuietTask({ ...input, family }), sources }
}

function toEvidence(sources: readonly TaskSource[], { page, source, path, text }: Cite): Evidence {
  const file = readSourceTrees({ sources }).get(source)?.files.get(path) ?? ''
  const at = file.indexOf(text)
  if (at === -1 || at !== file.lastIndexOf(text)) throw new Error(`${path} does not contain ${text} once.`)
  const fromLine = file.slice(0, at).split('\n').length
  return { page, source, path, fromLine, toLine: fromLine + text.split('\n').length - 1, note: 'Defines the value.' }
}

/** Cites the last line of the file, or the first one if the last one is cited. */
function toOtherLines(sources: readonly TaskSource[], evidence: Evidence): Evidence {
  const file = readSourceTrees({ sources }).get(evidence.source)?.files.get(evidence.path) ?? ''
  const last = file.trimEnd().split('\n').length
  const line = evidence.toLine >= last ? 1 : last
  return { ...evidence, fromLine: line, toLine: line }
}

/** Adds the code of the cited file to the page. */
function toCopies(
  { site, overlay, steps, sources, cites }: Pick<SourceEditTask, 'site' | 'overlay' | 'steps' | 'sources' | 'cites'>,
  ending: Ending,
): Mistake[] {
  const [cite] = cites
  const tree = cite && readSourceTrees({ sources }).get(cite.source)
  if (cite === undefined || tree?.isPrivate !== true) return []
  const { page, path } = cite
  const gold = applySteps(applyOverlay(SITES[site](), overlay === undefined ? {} : { overlay }), steps)
  const copied: Step = write(page, `${gold.get(page)}\n\`\`\`text\n${tree.files.get(path)}\`\`\`\n`)
  return [['private code copied', [...steps, copied], ending]]
}
