import type { CheckResult } from '@corrigenda/contracts'
import type { CheckName, CheckScope, Problem } from '../pages/problem.ts'
import type { Unreliable } from './find-unreliable.ts'
import type { SplitProblems } from './split-introduced.ts'

export interface ResultsInput {
  readonly split: SplitProblems
  readonly scope: CheckScope
  readonly unreliable: ReadonlyMap<CheckName, Unreliable>
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
/** Codes that are reliable even if many of the site's references do not resolve. */
const SURE = new Set(['navigation_invalid', 'navigation_missing_file'])

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

function toResult(name: CheckName, { split, scope, unreliable }: ResultsInput): CheckResult {
  const of = (problems: readonly Problem[]) => problems.filter((problem) => problem.check === name)
  const known = unreliable.get(name)
  const isAdvisory = ({ code, advisory }: Problem) => advisory === true || (known !== undefined && !SURE.has(code))
  const fresh = of(split.introduced).sort((a, b) => Number(isAdvisory(a)) - Number(isAdvisory(b)))
  const old = of(split.preexisting)
  const fixed = of(split.fixed).length
  const listed = scope === 'all' ? [...fresh, ...old] : fresh
  const note =
    known === undefined
      ? null
      : `These issues are advisory, because ${known.broken} of ${known.judged} references are already broken in the base commit. This site may use features that the checks do not support.`
  return {
    name,
    // An unreliable check fails only for codes that are reliable on any site.
    status: fresh.some(({ code }) => known === undefined || SURE.has(code)) ? 'failed' : 'passed',
    introduced: fresh.length,
    preexisting: old.length,
    findings: listed.slice(0, MAX_FINDINGS).map((problem) => ({
      file: problem.path,
      line: problem.line,
      message: problem.message,
      code: problem.code,
      ...(isAdvisory(problem) ? { advisory: true } : {}),
    })),
    ...(fixed > 0 ? { fixed } : {}),
    ...(note === null ? {} : { note }),
  }
}
