import type { Grader } from '../task/grader.ts'
import type { SourceTree } from '../task/read-source-trees.ts'
import { type Tree, toPlain } from '../task/tree.ts'
import type { Attempt, GradeContext } from './attempt.ts'

const KINDS = ['evidence', 'no-passages'] as const

export type SourceGrader = Extract<Grader, { kind: (typeof KINDS)[number] }>

export const isSourceGrader = (grader: Grader): grader is SourceGrader => KINDS.some((kind) => kind === grader.kind)

const MAX_CITED_LINES = 40
/** Number of lines of code in a passage. Shorter lines, such as a bracket, do not count. */
const PASSAGE_LINES = 4
const MIN_LINE_CHARS = 12

/** Grades what an attempt takes from the sources. Returns null if the attempt passes. */
export function gradeSource(grader: SourceGrader, attempt: Attempt, context: GradeContext): string | null {
  if (grader.kind === 'no-passages') return findPassage(attempt, context)
  const { page, lines } = grader
  const found = attempt.evidence.some(
    (entry) =>
      entry.page === page &&
      entry.toLine - entry.fromLine < MAX_CITED_LINES &&
      lines.some(
        ({ source, path, text }) =>
          source === entry.source &&
          path === entry.path &&
          toLines(context.sources.get(source)?.files.get(path) ?? '')
            .slice(entry.fromLine - 1, entry.toLine)
            .join('\n')
            .includes(text),
      ),
  )
  if (found) return null
  const wanted = lines.map(({ source, path, text }) => `${JSON.stringify(text)} in ${path} of ${source}`)
  return `No evidence for ${page} cites ${wanted.join(' or ')}.`
}

function findPassage({ after, title, body }: Attempt, { base, sources }: GradeContext): string | null {
  const added = squeeze([title, body, ...listAdded(base, after)].join('\n'))
  for (const [name, source] of sources) {
    const path = findCopied(source, added)
    if (path !== undefined) return `The change repeats text of ${path} of the private source ${name}.`
  }
  return null
}

/** Returns the path of a private file of which the text repeats several lines in a row. */
function findCopied({ isPrivate, files }: SourceTree, text: string): string | undefined {
  if (!isPrivate) return undefined
  return [...files].find(([, file]) => {
    const lines = toLines(file)
      .map(squeeze)
      .filter((line) => line.length >= MIN_LINE_CHARS)
    return lines.some((_, at) => {
      const passage = lines.slice(at, at + PASSAGE_LINES)
      return passage.length === PASSAGE_LINES && includesInOrder(text, passage)
    })
  })?.[0]
}

function includesInOrder(text: string, passage: readonly string[]): boolean {
  let from = 0
  for (const line of passage) {
    const at = text.indexOf(line, from)
    if (at === -1) return false
    from = at + line.length
  }
  return true
}

/** Returns the lines that the base does not contain. */
function listAdded(base: Tree, after: Tree): string[] {
  return [...after].flatMap(([path, text]) => {
    const known = new Set(toLines(base.get(path) ?? ''))
    return toLines(text).filter((line) => !known.has(line))
  })
}

const toLines = (text: string): string[] => toPlain(text).split('\n')

/** Removes spaces and line breaks, so that a copy may be indented or joined. */
const squeeze = (text: string): string => text.replace(/\s+/g, '')
