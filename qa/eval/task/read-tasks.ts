import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Evidence } from '@corrigenda/contracts'
import { z } from 'zod'
import { CallError, readYaml } from '../../read-yaml.ts'
import { Grader, OUTCOMES, type Outcome } from '../grade/graders.ts'
import { buildMatcher } from './match-glob.ts'
import { EVAL_FOLDER, SITES, SPLITS } from './sites.ts'
import { applySteps, Step, type Tree } from './steps.ts'

/** The task families described in docs/evaluation.md. */
export const FAMILIES = [
  'rename',
  'move',
  'delete',
  'repair',
  'add-page',
  'closed-world',
  'already-done',
  'unknown-facts',
  'outside-allowlist',
  'injection',
  'translations',
  'fidelity',
  'follow-up',
  'from-source',
] as const

const text = z.string().min(1)
const steps = z.array(Step)
const files = z.record(text, z.string())

/** Lines of a source that state a fact of a page. `text` occurs once in the file. */
const Cite = z.strictObject({ page: text, source: text, path: text, text })
type Cite = z.infer<typeof Cite>

const Answer = z.strictObject({
  /** Accepted outcomes. The correct answer has the first one. */
  outcome: z.array(z.enum(OUTCOMES)).min(1).default(['changed']),
  title: text.optional(),
  body: text.optional(),
  reason: text.optional(),
  steps: steps.default([]),
  evidence: z.array(Cite).default([]),
})

const WrongAnswer = z.strictObject({
  /** The mistake, in a few words. */
  how: text,
  /** Numbers of the steps of the correct answer to omit, from 1. */
  omit: z.array(z.int().min(1)).optional(),
  /** Steps after those of the correct answer. */
  also: steps.optional(),
  /** All steps, instead of those of the correct answer. */
  steps: steps.optional(),
  /** An ending without the steps of the correct answer. Default: the ending of the correct answer. */
  outcome: z.enum(OUTCOMES).optional(),
  reason: text.optional(),
})

const SourceFile = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lowercase letters, digits and dashes'),
  visibility: z.enum(['private', 'public']),
  /** Paths that the model may read. Absent: all paths. */
  paths: z.array(text).default([]),
  /** Files of the first commit, 120 days ago: the name of a file in `qa/eval/sources`, or paths and texts. */
  code: z.union([text, files]),
  /** Changes to the files of the first commit. */
  change: steps.default([]),
  /** Oldest first. Commits of the last 14 days are recent. */
  commits: z.array(z.strictObject({ message: text, daysAgo: z.int().min(0), steps })).default([]),
})

const TaskFile = z
  .strictObject({
    site: text.optional(),
    /** A repository that is fetched when the task runs, instead of a site. */
    repository: z
      .strictObject({
        url: z.url(),
        commit: z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal digits'),
      })
      .optional(),
    split: z.enum(SPLITS).optional(),
    prompt: text,
    /** Changes to the site before the task starts. */
    before: steps.default([]),
    /** For a follow-up: the first request and the answer to it. */
    earlier: z.strictObject({ request: text, answer: text }).optional(),
    sources: z.array(SourceFile).default([]),
    policy: z
      .strictObject({ writable: z.array(text).exactOptional(), deny: z.array(text).exactOptional() })
      .default({}),
    answer: Answer,
    /** Lines around the changes of the correct answer that may differ, too. */
    slack: z.int().min(0).default(0),
    expect: z.array(Grader).default([]),
    /** False to grade only what `expect` lists. */
    standard: z.boolean().default(true),
    wrong: z.array(WrongAnswer).default([]),
  })
  .refine(({ site, repository }) => (site === undefined) !== (repository === undefined), 'needs a site or a repository')
  .refine(({ site }) => site === undefined || Object.hasOwn(SITES, site), {
    path: ['site'],
    message: `must be one of ${Object.keys(SITES).join(', ')}`,
  })
  .refine(({ repository, before }) => repository === undefined || before.length === 0, {
    path: ['before'],
    message: 'is possible only for a site',
  })
type TaskFile = z.infer<typeof TaskFile>

/** The values passed to `finish` at the end of an attempt. */
interface Ending {
  readonly outcome: Outcome
  readonly title?: string
  readonly body?: string
  readonly reason?: string
  readonly evidence?: readonly Evidence[]
}

/** A solution that a model could produce. */
export interface Solution {
  /** `gold`, or the mistake in a few words. */
  readonly how: string
  readonly steps: readonly Step[]
  readonly ending: Ending
}

/** A repository that the model may read, besides the documentation. */
interface TaskSource {
  readonly name: string
  readonly visibility: 'private' | 'public'
  readonly paths: readonly string[]
  /** Oldest first. Null removes a file. */
  readonly commits: readonly {
    readonly message: string
    readonly daysAgo: number
    readonly files: ReadonlyMap<string, string | null>
  }[]
  /** The files after the last commit. */
  readonly files: Tree
}

export interface Task extends Pick<TaskFile, 'prompt' | 'before' | 'policy'> {
  /** `family/name`. */
  readonly id: string
  readonly family: string
  /** Prompts and tools may be tuned on `train`. `held-out` verifies that improvements generalize. */
  readonly split: (typeof SPLITS)[number]
  readonly repository: { readonly site: string } | { readonly url: string; readonly commit: string }
  /** In the prompt, `{{name}}` is a source's `owner/name`, `{{name.url}}` its URL, `{{name.0}}` its first commit. */
  readonly sources: readonly TaskSource[]
  /** The text about earlier prompts that the product adds to the instructions. */
  readonly earlier: string | null
  readonly graders: readonly Grader[]
  readonly gold: Solution
  readonly wrong: readonly Solution[]
}

export interface TaskChoice {
  /** A pattern of ids, such as `rename/*`. */
  readonly glob: string | null
  readonly split: string | null
  /** A folder of tasks instead of the built-in ones. */
  readonly folder: string | null
}

/**
 * Reads the tasks that a call selects, from `FAMILY/NAME.yaml`.
 * @throws CallError if no task matches or a file is invalid
 */
export function readTasks({ glob, split, folder }: TaskChoice = { glob: null, split: null, folder: null }): Task[] {
  const root = folder ?? path.join(EVAL_FOLDER, 'tasks')
  const chosen = FAMILIES.flatMap((family) => listNames(path.join(root, family)).map((name) => `${family}/${name}`))
    .filter((id) => glob === null || buildMatcher(glob)(id))
    .map((id) => toTask(id, path.join(root, `${id}.yaml`)))
    .filter((task) => split === null || task.split === split)
  if (chosen.length === 0) throw new CallError('No task matches. List all tasks with pnpm qa eval --list.')
  return chosen
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => path.parse(file).name)
      .sort()
  } catch {
    // A folder of custom tasks has only some families.
    return []
  }
}

function toTask(id: string, file: string): Task {
  const content = readYaml(file, TaskFile)
  const { site, repository, prompt, before, earlier, policy, answer } = content
  try {
    const sources = content.sources.map(toSource)
    const gold: Solution = { how: 'gold', steps: answer.steps, ending: toEnding(answer, sources) }
    return {
      id,
      family: id.split('/')[0] ?? '',
      split: content.split ?? SITES[site ?? '']?.split ?? 'held-out',
      repository: repository ?? { site: site ?? '' },
      prompt,
      before,
      policy,
      sources,
      earlier: earlier === undefined ? null : describeEarlier(earlier),
      graders: [...(content.standard ? listStandard(content) : []), ...content.expect, ...listSourceGraders(content)],
      gold,
      wrong: [...listObvious(gold, sources), ...content.wrong.map((wrong) => toWrong(wrong, gold))],
    }
  } catch (error) {
    throw new CallError(`${file}: ${error instanceof Error ? error.message : error}`)
  }
}

function toSource({ name, visibility, paths, code, change, commits }: z.infer<typeof SourceFile>): TaskSource {
  const first = typeof code === 'string' ? readYaml(path.join(EVAL_FOLDER, 'sources', `${code}.yaml`), files) : code
  let tree: Tree = new Map()
  const commit = (message: string, daysAgo: number, after: Tree) => {
    const changed = [...new Set([...tree.keys(), ...after.keys()])].filter((file) => tree.get(file) !== after.get(file))
    tree = after
    return { message, daysAgo, files: new Map(changed.map((file) => [file, after.get(file) ?? null])) }
  }
  const history = [commit('Import the code', 120, applySteps(new Map(Object.entries(first)), change))]
  for (const one of commits) history.push(commit(one.message, one.daysAgo, applySteps(tree, one.steps)))
  return { name, visibility, paths, commits: history, files: tree }
}

function toEnding(
  { outcome, title, body, reason, evidence }: TaskFile['answer'],
  sources: readonly TaskSource[],
): Ending {
  const [first = 'changed'] = outcome
  if (first !== 'changed') return { outcome: first, reason: reason ?? '' }
  const about = evidence.length === 0 ? `${title}, as requested.` : `${title}. The facts are in the code.`
  const ending = { outcome: first, title: title ?? '', body: body ?? about }
  return evidence.length === 0 ? ending : { ...ending, evidence: evidence.map((cite) => toEvidence(cite, sources)) }
}

function toEvidence({ page, source, path: file, text }: Cite, sources: readonly TaskSource[]): Evidence {
  const code = sources.find(({ name }) => name === source)?.files.get(file) ?? ''
  const at = code.indexOf(text)
  if (at === -1 || at !== code.lastIndexOf(text)) throw new Error(`${file} of ${source} does not contain ${text} once.`)
  const fromLine = code.slice(0, at).split('\n').length
  const toLine = fromLine + text.split('\n').length - 1
  return { page, source, path: file, fromLine, toLine, note: 'Defines the value.' }
}

/**
 * The graders that every task needs. A change must have the outcome, changes only where the correct
 * answer has them, a small diff, no new problems, and a title and body. Otherwise, no file may differ.
 */
function listStandard({ answer, slack }: TaskFile): Grader[] {
  const outcome: Grader = { kind: 'outcome', is: answer.outcome }
  if (!answer.outcome.includes('changed')) return [outcome, { kind: 'nothing-changed' }]
  const created = answer.steps.flatMap((step) =>
    step.do === 'move' ? [step.to] : step.do === 'write' ? [step.path] : [],
  )
  const deleted = answer.steps.flatMap((step) => (step.do === 'move' || step.do === 'delete' ? [step.path] : []))
  const touched = [...new Set([...created, ...answer.steps.map((step) => step.path)])].sort()
  const modified = touched.filter((file) => !created.includes(file) && !deleted.includes(file))
  return [
    outcome,
    { kind: 'only-changed', in: touched },
    // A comma of a navigation file may move.
    ...modified.map((file): Grader => {
      const isNavigation = /\.(json|ya?ml)$|(^|\/)SUMMARY\.md$/.test(file)
      return { kind: 'rest-untouched', path: file, slack: isNavigation ? slack + 1 : slack }
    }),
    { kind: 'small-diff', times: 2, plus: 6 },
    { kind: 'no-new-problems' },
    { kind: 'good-words' },
  ]
}

function listSourceGraders({ answer: { evidence } }: TaskFile): Grader[] {
  if (evidence.length === 0) return []
  return [
    ...evidence.map(({ page, ...lines }): Grader => ({ kind: 'evidence', page, lines: [lines] })),
    { kind: 'no-passages' },
  ]
}

/** Wrong answers that follow from the correct one. */
function listObvious({ steps, ending }: Solution, sources: readonly TaskSource[]): Solution[] {
  if (ending.outcome !== 'changed') return []
  const nothing: Solution = {
    how: 'no edit',
    steps: [],
    ending: { outcome: 'no_change', reason: 'The documentation already contains this.' },
  }
  const { evidence, ...uncited } = ending
  const [first] = evidence ?? []
  if (evidence === undefined || first === undefined) return [nothing]
  const source = sources.find(({ name }) => name === first.source)
  const code = source?.files.get(first.path) ?? ''
  const moved = evidence.map((entry) => {
    const last = (sources.find(({ name }) => name === entry.source)?.files.get(entry.path) ?? '')
      .trimEnd()
      .split('\n').length
    const line = entry.toLine >= last ? 1 : last
    return { ...entry, fromLine: line, toLine: line }
  })
  const copy: Step = { do: 'append', path: first.page, text: `\n\`\`\`text\n${code}\`\`\`\n` }
  return [
    nothing,
    { how: 'no evidence', steps, ending: uncited },
    { how: 'evidence for the wrong lines', steps, ending: { ...ending, evidence: moved } },
    ...(source?.visibility === 'private' ? [{ how: 'private code copied', steps: [...steps, copy], ending }] : []),
  ]
}

const CHANGED: Ending = { outcome: 'changed', title: 'Change the page', body: 'The page was changed as requested.' }

function toWrong(
  { how, omit = [], also = [], steps, outcome, reason = '' }: z.infer<typeof WrongAnswer>,
  gold: Solution,
): Solution {
  const kept = gold.steps.filter((_, index) => !omit.includes(index + 1))
  const given = gold.ending.outcome === 'changed' ? gold.ending : CHANGED
  const ending = outcome === undefined ? given : { outcome, reason }
  return { how, steps: steps ?? (outcome === undefined ? [...kept, ...also] : also), ending }
}

/** The text that the worker adds to a follow-up, with the earlier request and answer. */
function describeEarlier({ request, answer }: NonNullable<TaskFile['earlier']>): string {
  return [
    'This is a follow-up. The files are those of the branch corrigenda/job_1. They contain your earlier work and any commits that users added on top of it. Keep those commits. Your changes are added to the same pull request.',
    'Earlier requests, oldest first, quoted:',
    `<earlier_request number="1">\n${request}\n</earlier_request>`,
    `Your last reply, quoted:\n<earlier_answer>\n${answer}\n</earlier_answer>`,
  ].join('\n')
}
