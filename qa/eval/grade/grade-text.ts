import { readFrontMatter } from '../site/read-front-matter.ts'
import type { Grader } from '../task/grader.ts'
import { buildMatcher } from '../task/match-glob.ts'
import { countText, type Tree, toPlain } from '../task/tree.ts'

const KINDS = ['contains', 'lacks', 'matches', 'count', 'exists', 'missing', 'front-matter', 'encoding'] as const

export type TextGrader = Extract<Grader, { kind: (typeof KINDS)[number] }>

export const isTextGrader = (grader: Grader): grader is TextGrader => KINDS.some((kind) => kind === grader.kind)

const short = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** Grades the resulting file contents. Returns null if the attempt passes. */
export function gradeText(grader: TextGrader, after: Tree): string | null {
  switch (grader.kind) {
    case 'contains': {
      const found = countText(toPlain(after.get(grader.path) ?? ''), grader.text)
      if (grader.times === undefined ? found > 0 : found === grader.times) return null
      const wanted = grader.times ?? 'at least 1'
      return `Occurrences of ${short(grader.text)} in ${grader.path}: ${found}, expected ${wanted}.`
    }
    case 'lacks': {
      const found = listMatching(after, grader.in).find(([, text]) => toPlain(text).includes(grader.text))
      return found === undefined ? null : `${short(grader.text)} occurs in ${found[0]}.`
    }
    case 'count': {
      const found = listMatching(after, grader.in).reduce(
        (sum, [, text]) => sum + countText(toPlain(text), grader.text),
        0,
      )
      return found === grader.is
        ? null
        : `Occurrences of ${short(grader.text)} in ${grader.in}: ${found}, expected ${grader.is}.`
    }
    case 'matches': {
      const text = after.get(grader.path)
      if (text === undefined) return `${grader.path} does not exist.`
      const found = new RegExp(grader.pattern, grader.ignoreCase ? 'mi' : 'm').test(toPlain(text))
      if (found !== (grader.not ?? false)) return null
      return `${grader.path} ${grader.not ? 'matches' : 'does not match'} /${grader.pattern}/.`
    }
    case 'exists':
      return after.has(grader.path) ? null : `${grader.path} does not exist.`
    case 'missing':
      return after.has(grader.path) ? `${grader.path} still exists.` : null
    case 'front-matter':
      return gradeFrontMatter(grader, after)
    case 'encoding':
      return gradeEncoding(grader, after)
  }
}

function listMatching(tree: Tree, glob: string): [string, string][] {
  const matches = buildMatcher(glob)
  return [...tree].filter(([path]) => matches(path))
}

function gradeFrontMatter(grader: Extract<TextGrader, { kind: 'front-matter' }>, after: Tree): string | null {
  const keys = readFrontMatter(after.get(grader.path) ?? '')
  if (keys === null) return `${grader.path} has no readable front matter.`
  for (const [key, wanted] of Object.entries(grader.keys)) {
    const value = keys.get(key)
    if (wanted === null && value !== undefined) return `The front matter of ${grader.path} contains ${key}.`
    if (wanted !== null && value !== wanted) {
      return `In the front matter of ${grader.path}, ${key} is ${value === undefined ? 'missing' : short(value)}, expected ${short(wanted)}.`
    }
  }
  const other = grader.only ? [...keys.keys()].find((key) => !(key in grader.keys)) : undefined
  return other === undefined ? null : `The front matter of ${grader.path} has the extra key ${other}.`
}

function gradeEncoding(grader: Extract<TextGrader, { kind: 'encoding' }>, after: Tree): string | null {
  const text = after.get(grader.path)
  if (text === undefined) return `${grader.path} does not exist.`
  if (text.startsWith('\uFEFF') !== grader.bom)
    return `${grader.path} ${grader.bom ? 'lost its' : 'has a'} byte order mark.`
  const wrong = grader.eol === 'crlf' ? /(^|[^\r])\n/ : /\r/
  return wrong.test(text) ? `${grader.path} has a line that does not end in ${grader.eol.toUpperCase()}.` : null
}
