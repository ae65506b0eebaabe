import type { Evidence } from '@corrigenda/contracts'
import { countChangedLines, diffLines } from '@corrigenda/worker/parts'
import { z } from 'zod'
import { buildMatcher } from '../task/match-glob.ts'
import { countText, listChanged, type Tree, toPlain, toRawLines } from '../task/steps.ts'
import { leadsTo, listLinks } from './list-links.ts'
import { type Entry, hasRedirect, readFrontMatter, readNavigation, toPage } from './read-navigation.ts'

export const OUTCOMES = ['changed', 'no_change', 'needs_input', 'impossible'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The result of one attempt at a task. */
export interface Attempt {
  /** The outcome, or `stopped` if a limit or a model refusal ended the attempt. */
  readonly outcome: Outcome | 'stopped'
  /** The product's failure code if `stopped`. */
  readonly code: string | null
  readonly title: string
  readonly body: string
  readonly reason: string
  readonly after: Tree
  /** Lines of sources that support the change. */
  readonly evidence: readonly Evidence[]
  /** New issues found by the product's checks. Excludes advice. */
  readonly problems: readonly string[]
}

/** The reference for grading an attempt. */
interface GradeContext {
  readonly base: Tree
  readonly gold: Tree
  /** The task's sources, at the commit that the model reads. */
  readonly sources: readonly {
    readonly name: string
    readonly visibility: 'private' | 'public'
    readonly files: Tree
  }[]
}

/** Describes one kind of grader. `grade` returns the reason for a failure, or null if the attempt passes. */
const define = <S extends z.ZodRawShape>(
  shape: S,
  grade: (grader: z.infer<z.ZodObject<S>>, attempt: Attempt, context: GradeContext) => string | null,
) => ({ shape, grade })

const text = z.string().min(1)
const path = text.max(500)
const count = z.int().min(0)
const pattern = text.refine(isPattern, 'must be a regular expression')
const optionalBoolean = z.boolean().optional()

/**
 * The kinds of conditions on a finished attempt, with their parameters. Paths are relative to the
 * repository root. `in` accepts a path or a glob. Text is compared exactly, after line endings are
 * converted to LF.
 */
export const GRADERS = {
  /** The run ended with one of these outcomes. */
  outcome: define({ is: z.array(z.enum(OUTCOMES)).min(1) }, ({ is }, { outcome, code }) =>
    is.some((one) => one === outcome)
      ? null
      : `The outcome is ${outcome}${code === null ? '' : ` (${code})`}, expected ${is.join(' or ')}.`,
  ),
  /** No file differs from the base. */
  'nothing-changed': define({}, (_, { after }, { base }) => wasChanged(listChanged(base, after)[0])),
  /** Only matching files were added, changed or deleted. */
  'only-changed': define({ in: z.array(path) }, ({ in: globs }, { after }, { base }) => {
    const allowed = globs.map(buildMatcher)
    const other = listChanged(base, after).find((file) => !allowed.some((matches) => matches(file)))
    return other === undefined ? null : `${other} was also changed.`
  }),
  /** The matching files are the same as in the base, byte for byte. */
  untouched: define({ in: path }, ({ in: glob }, { after }, { base }) =>
    wasChanged(listChanged(base, after).find(buildMatcher(glob))),
  ),
  /** The file contains the text, exactly `times` times if given, otherwise at least once. */
  contains: define({ path, text, times: count.optional() }, ({ path, text, times }, { after }) => {
    const found = countText(toPlain(after.get(path) ?? ''), text)
    return (times === undefined ? found > 0 : found === times)
      ? null
      : describeCount(text, path, found, times ?? 'at least 1')
  }),
  /** The text occurs in none of the matching files. */
  lacks: define({ in: path, text }, ({ in: glob, text }, { after }) => {
    const found = listMatching(after, glob).find(([, content]) => toPlain(content).includes(text))
    return found === undefined ? null : `${shorten(text)} occurs in ${found[0]}.`
  }),
  /** The text occurs exactly this many times across all matching files. */
  count: define({ in: path, text, is: count }, ({ in: glob, text, is }, { after }) => {
    const found = listMatching(after, glob).reduce((sum, [, content]) => sum + countText(toPlain(content), text), 0)
    return found === is ? null : describeCount(text, glob, found, is)
  }),
  /** The pattern matches the file, or not if `not` is set. Has the flag `m`, and `i` if `ignoreCase` is set. */
  matches: define(
    { path, pattern, ignoreCase: optionalBoolean, not: optionalBoolean },
    ({ path, pattern, ...flags }, { after }) => {
      const content = after.get(path)
      if (content === undefined) return `${path} does not exist.`
      const found = new RegExp(pattern, flags.ignoreCase ? 'mi' : 'm').test(toPlain(content))
      return found !== (flags.not ?? false) ? null : `${path} ${found ? 'matches' : 'does not match'} /${pattern}/.`
    },
  ),
  exists: define({ path }, ({ path }, { after }) => (after.has(path) ? null : `${path} does not exist.`)),
  missing: define({ path }, ({ path }, { after }) => (after.has(path) ? `${path} still exists.` : null)),
  /** The file moved, and the new one has at least the share `keeps` (default 0.9) of its lines. */
  moved: define(
    { path, to: path, keeps: z.number().min(0).max(1).default(0.9) },
    ({ path, to, keeps }, { after }, { base }) => {
      if (after.has(path)) return `${path} still exists.`
      const now = after.get(to)
      if (now === undefined) return `${to} does not exist.`
      const before = toRawLines(toPlain(base.get(path) ?? ''))
      const kept = 1 - countChangedLines(before, toRawLines(toPlain(now))).removed / Math.max(1, before.length)
      return kept >= keeps ? null : `${to} keeps ${Math.round(kept * 100)}% of the lines from ${path}.`
    },
  ),
  /** The file is the same as in the correct answer, byte for byte. */
  'same-as-gold': define({ path }, ({ path }, { after }, { gold }) =>
    after.get(path) === gold.get(path) ? null : `${path} differs from the correct answer.`,
  ),
  /** The file differs from the base only where the correct answer does, or at most `slack` lines beside it. */
  'rest-untouched': define({ path, slack: count.default(0) }, ({ path, slack }, { after }, { base, gold }) => {
    // Lines include their endings, so a changed line ending is a changed line.
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
  }),
  /** The file's fenced code blocks are the same as in the base, in the same order. */
  'code-untouched': define({ path }, ({ path }, { after }, { base }) =>
    toCodeBlocks(base.get(path) ?? '') === toCodeBlocks(after.get(path) ?? '')
      ? null
      : `A code block in ${path} was changed.`,
  ),
  /** The number of added and removed lines is at most `times` that of the correct answer, plus `plus`. */
  'small-diff': define(
    { times: z.number().positive(), plus: count.default(2) },
    ({ times, plus }, { after }, { base, gold }) => {
      const lines = countDiff(base, after)
      const most = Math.floor(countDiff(base, gold) * times) + plus
      return lines <= most ? null : `The change has ${lines} lines, expected at most ${most}.`
    },
  ),
  /** The navigation file lists the page once, below a heading or group with this name if given. */
  'in-navigation': define({ file: path, page: text, group: text.optional() }, ({ file, page, group }, { after }) => {
    const entries = findEntries(file, page, after)
    if (entries === null) return `${file} can no longer be read.`
    const [first, second] = entries
    if (first === undefined) return `${file} does not list ${page}.`
    if (second !== undefined) return `${file} lists ${page} ${entries.length} times.`
    if (group === undefined || first.groups.includes(group)) return null
    return `${file} lists ${page} in ${first.groups.join(' > ') || 'no group'}, expected ${group}.`
  }),
  'not-in-navigation': define({ file: path, page: text }, ({ file, page }, { after }) => {
    const entries = findEntries(file, page, after)
    if (entries === null) return `${file} can no longer be read.`
    return entries.length > 0 ? `${file} still lists ${page}.` : null
  }),
  /** The navigation file is valid, lists every page that still exists, and keeps the base's order. */
  'navigation-kept': define({ file: path }, ({ file }, { after }, { base }) => {
    const [before, now] = [base, after].map((tree) =>
      readNavigation(file, tree.get(file) ?? '')?.map(({ page }) => page),
    )
    if (before === undefined || now === undefined) return `${file} can no longer be read.`
    const kept = before.filter((page) => now.includes(page))
    const order = now.filter((page) => before.includes(page))
    if (kept.join('\n') !== order.join('\n')) return `${file} lists its pages in a different order.`
    const exists = (page: string) => [...after.keys()].some((one) => `/${toPage(one)}`.endsWith(`/${page}`))
    const lost = before.find((page) => !now.includes(page) && exists(page))
    return lost === undefined ? null : `${file} no longer lists ${lost}, which still exists.`
  }),
  /** No page links to this page's path. */
  'no-links-to': define({ page: path }, ({ page }, { after }) => {
    const link = listLinks(after).find((one) => one.from !== page && leadsTo(one, page))
    return link === undefined ? null : `${link.from} links to ${link.target}.`
  }),
  'linked-from': define({ page: path, from: path }, ({ page, from }, { after }) =>
    listLinks(after).some((one) => one.from === from && leadsTo(one, page))
      ? null
      : `${from} does not link to ${page}.`,
  ),
  /** The file redirects `from` to `to`. */
  redirect: define({ file: path, from: text, to: text }, ({ file, from, to }, { after }) =>
    hasRedirect(file, after.get(file) ?? '', { from, to }) ? null : `${file} does not redirect ${from} to ${to}.`,
  ),
  /** The front matter has these values. With `only`, other keys are not allowed. */
  'front-matter': define(
    { path, keys: z.record(z.string(), z.string()), only: optionalBoolean },
    ({ path, keys, only }, { after }) => {
      const found = readFrontMatter(after.get(path) ?? '')
      if (found === null) return `${path} has no readable front matter.`
      const wrong = Object.entries(keys).find(([key, value]) => found.get(key) !== value)
      if (wrong !== undefined)
        return `In the front matter of ${path}, ${wrong[0]} is ${shorten(found.get(wrong[0]) ?? 'missing')}, expected ${shorten(wrong[1])}.`
      const other = only ? [...found.keys()].find((key) => !(key in keys)) : undefined
      return other === undefined ? null : `The front matter of ${path} has the extra key ${other}.`
    },
  ),
  /** Every line has this line ending, and the file has a byte order mark only if `bom` is set. */
  encoding: define({ path, eol: z.enum(['lf', 'crlf']), bom: z.boolean() }, ({ path, eol, bom }, { after }) => {
    const content = after.get(path)
    if (content === undefined) return `${path} does not exist.`
    if (content.startsWith('\uFEFF') !== bom) return `${path} ${bom ? 'lost its' : 'has gained a'} byte order mark.`
    const other = eol === 'crlf' ? /(?<!\r)\n|\r(?!\n)/ : /\r/
    return other.test(content) ? `${path} has a line ending that is not ${eol.toUpperCase()}.` : null
  }),
  /** The product's checks found no new issue. */
  'no-new-problems': define({}, (_, { problems }) =>
    problems.length === 0 ? null : `Issues introduced by the change: ${problems.length}. The first one: ${problems[0]}`,
  ),
  /** The model's reason matches the pattern. Ignores case. */
  says: define({ pattern }, ({ pattern }, { reason }) =>
    new RegExp(pattern, 'is').test(reason) ? null : `The reason does not match /${pattern}/.`,
  ),
  /** A one-line title of at most 72 characters without a full stop, and a non-empty body. */
  'good-words': define({}, (_, { title, body }) => {
    if (title.trim() === '' || /[\r\n]/.test(title)) return 'The title is empty or has more than one line.'
    if (title.length > 72) return `The title has ${title.length} characters.`
    if (title.trim().endsWith('.')) return 'The title ends with a full stop.'
    return body.trim() === '' ? 'The body is empty.' : null
  }),
  /**
   * An entry of the evidence supports the page with at most 40 lines of a source, which contain the
   * text. The alternatives are other places of the same fact.
   */
  evidence: define(
    { page: path, lines: z.array(z.strictObject({ source: text, path, text })).min(1) },
    ({ page, lines }, { evidence }, { sources }) => {
      const cites = (entry: Evidence) =>
        lines.some(({ source, path, text }) => {
          const code = sources.find(({ name }) => name === source)?.files.get(path) ?? ''
          const cited = toPlain(code)
            .split('\n')
            .slice(entry.fromLine - 1, entry.toLine)
            .join('\n')
          return source === entry.source && path === entry.path && cited.includes(text)
        })
      if (evidence.some((entry) => entry.page === page && entry.toLine - entry.fromLine < 40 && cites(entry)))
        return null
      const wanted = lines.map(({ source, path, text }) => `${JSON.stringify(text)} in ${path} of ${source}`)
      return `No evidence for ${page} cites ${wanted.join(' or ')}.`
    },
  ),
  /** Added text, the title and the body repeat no four lines of code of a private source. */
  'no-passages': define({}, (_, { after, title, body }, { base, sources }) => {
    const added = squeeze([title, body, ...listAdded(base, after)].join('\n'))
    for (const { name, visibility, files } of sources) {
      const copied = [...files].find(([, code]) => visibility === 'private' && repeatsPassage(added, code))
      if (copied !== undefined) return `The change repeats text of ${copied[0]} of the private source ${name}.`
    }
    return null
  }),
}

type Shapes = { [K in keyof typeof GRADERS]: (typeof GRADERS)[K]['shape'] }
export type Grader = {
  [K in keyof Shapes]: z.input<z.ZodObject<Shapes[K] & { kind: z.ZodLiteral<K> }>>
}[keyof Shapes]

const schemas = Object.entries(GRADERS).map(([kind, { shape }]) => z.strictObject({ kind: z.literal(kind), ...shape }))

/** A condition on a finished attempt. An attempt must meet all of its task's conditions. */
export const Grader = z.discriminatedUnion('kind', schemas as never) as unknown as z.ZodType<Grader, Grader>

/** Returns why the attempt fails each of the graders. The task is solved if the list is empty. */
export function gradeAttempt(graders: readonly Grader[], attempt: Attempt, context: GradeContext): string[] {
  return graders.flatMap((grader) => {
    const { grade } = GRADERS[grader.kind] as { grade: (...input: unknown[]) => string | null }
    return grade(Grader.parse(grader), attempt, context) ?? []
  })
}

const wasChanged = (file: string | undefined) => (file === undefined ? null : `${file} was changed.`)

const shorten = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

const describeCount = (text: string, where: string, found: number, wanted: number | string) =>
  `Occurrences of ${shorten(text)} in ${where}: ${found}, expected ${wanted}.`

function listMatching(tree: Tree, glob: string): [string, string][] {
  const matches = buildMatcher(glob)
  return [...tree].filter(([file]) => matches(file))
}

const findEntries = (file: string, page: string, tree: Tree): Entry[] | null =>
  readNavigation(file, tree.get(file) ?? '')?.filter((entry) => entry.page === toPage(page)) ?? null

const CODE_FENCE = /^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1[ \t]*$/gm

const toCodeBlocks = (content: string): string =>
  [...toPlain(content).matchAll(CODE_FENCE)].map(([block]) => block).join('\n')

function countDiff(before: Tree, after: Tree): number {
  return listChanged(before, after).reduce((sum, file) => {
    const { added, removed } = countChangedLines(toRawLines(before.get(file) ?? ''), toRawLines(after.get(file) ?? ''))
    return sum + added + removed
  }, 0)
}

/** Removes spaces and line breaks, so that a copy may be indented or joined. */
const squeeze = (content: string): string => content.replace(/\s+/g, '')

/** Returns true if the text repeats four lines of code in a row. Short lines, such as a bracket, do not count. */
function repeatsPassage(squeezed: string, code: string): boolean {
  const lines = toPlain(code)
    .split('\n')
    .map(squeeze)
    .filter((line) => line.length >= 12)
  return lines.some((_, at) => {
    const passage = lines.slice(at, at + 4)
    let from = 0
    return (
      passage.length === 4 &&
      passage.every((line) => {
        const found = squeezed.indexOf(line, from)
        from = found + line.length
        return found !== -1
      })
    )
  })
}

/** Returns the lines that the base does not contain. */
function listAdded(base: Tree, after: Tree): string[] {
  return [...after].flatMap(([file, content]) => {
    const known = new Set(toPlain(base.get(file) ?? '').split('\n'))
    return toPlain(content)
      .split('\n')
      .filter((line) => !known.has(line))
  })
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
