import type { CheckResult } from '@corrigenda/contracts'
import type { CheckName, CheckScope, Problem } from '../pages/problem.ts'
import type { Unjudged } from './find-unjudged.ts'
import type { SplitProblems } from './split-introduced.ts'
import type { Unreliable } from './summarize-sites.ts'

interface ResultsInput {
  readonly split: SplitProblems
  readonly scope: CheckScope
  breaksBuild(problem: Problem): boolean
  /** Why listed problems can only be advisory. */
  readonly unreliable: ReadonlyMap<Problem, Unreliable>
  readonly unjudged: ReadonlyMap<CheckName, Unjudged>
  /** Reasons why pages were not read, keyed by page. */
  readonly unread: ReadonlyMap<string, string>
  /** Number of pages beyond the limit. */
  readonly leftOut: number
}

export const CHECKS: readonly CheckName[] = [
  'syntax',
  'frontmatter',
  'links',
  'anchors',
  'images',
  'navigation',
  'redirects',
]
const MAX_FINDINGS = 500

/** Returns one result per check, followed by the pages that were not checked. */
export function toResults(input: ResultsInput): CheckResult[] {
  const results = CHECKS.map((name) => toResult(name, input))
  const unread = [...input.unread].map(([file, reason]) => ({ file, line: null, message: `Not checked: ${reason}.` }))
  if (input.leftOut > 0) {
    unread.push({
      file: '',
      line: null,
      message: `${input.leftOut === 1 ? '1 page was' : `${input.leftOut} pages were`} not checked, because the repository has too many pages.`,
    })
  }
  if (unread.length === 0) return results
  const findings = unread.slice(0, MAX_FINDINGS)
  return [...results, { name: 'unread', status: 'skipped', introduced: 0, preexisting: 0, findings }]
}

function toResult(name: CheckName, { split, scope, unreliable, unjudged, breaksBuild }: ResultsInput): CheckResult {
  const of = (problems: readonly Problem[]) => problems.filter((problem) => problem.check === name)
  const isAdvisory = (problem: Problem) => problem.advisory === true || unreliable.has(problem)
  const fresh = of(split.introduced).sort((a, b) => Number(isAdvisory(a)) - Number(isAdvisory(b)))
  const old = of(split.preexisting)
  const fixed = of(split.fixed).length
  const listed = scope === 'all' ? [...fresh, ...old] : fresh
  const open = unjudged.get(name)
  const notes = [...new Set(listed.flatMap((problem) => toNote(unreliable.get(problem)))), ...(open?.reasons ?? [])]
  const isFailed = fresh.some((problem) => !unreliable.has(problem))
  return {
    name,
    // A check that could not look must not pass.
    status: isFailed ? 'failed' : open?.isPartial === false ? 'skipped' : 'passed',
    introduced: fresh.length,
    preexisting: old.length,
    findings: listed.slice(0, MAX_FINDINGS).map((problem) => ({
      file: problem.path,
      line: problem.line,
      message: problem.message,
      code: problem.code,
      ...(isAdvisory(problem) ? { advisory: true } : {}),
      ...(breaksBuild(problem) ? { breaksBuild: true } : {}),
    })),
    ...(fixed > 0 ? { fixed } : {}),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  }
}

function toNote(unreliable: Unreliable | undefined): string[] {
  if (unreliable === undefined) return []
  const { cause, broken, judged } = unreliable
  return [
    `Issues with ${cause} are advisory, because ${broken} of ${judged} references in this site are already broken for the same reason in the base commit. The site may use a feature that the checks do not support.`,
  ]
}
