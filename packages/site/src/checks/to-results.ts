import { type Check, type Found, findSeverity, type Unjudged } from '../reading/check.ts'
import type { CheckScope, Problem } from '../reading/problem.ts'
import type { Side } from '../reading/read-base.ts'
import type { CheckFinding, CheckResult } from '../reading/result.ts'
import { splitIntroduced } from '../reading/split-introduced.ts'
import type { SiteSummary, Unreliable } from '../reading/summarize-sites.ts'

const MAX_FINDINGS = 500

interface ResultInput {
  readonly check: Check
  readonly found: Found
  readonly unjudged: Unjudged | null
  readonly scope: CheckScope
  readonly now: Side
  readonly summary: SiteSummary
  readonly renames: ReadonlyMap<string, string>
}

/** Returns the result of a check. Only problems that the base commit does not have make it fail. */
export async function toResult(input: ResultInput): Promise<CheckResult> {
  const { check, found, unjudged, scope, now, summary, renames } = input
  const { introduced, preexisting, fixed } = splitIntroduced(found.before, found.after, renames)
  const unreliable = new Map<Problem, Unreliable>()
  for (const problem of scope === 'all' ? [...introduced, ...preexisting] : introduced) {
    if (!(problem.code in check.issues)) throw new Error(`The check "${check.name}" does not list ${problem.code}.`)
    const reason = await summary.findUnreliable(problem)
    if (reason !== null) unreliable.set(problem, reason)
  }
  const toFinding = (problem: Problem): CheckFinding => {
    const severity = findSeverity(now.sites, check, problem)
    return {
      file: problem.path,
      line: problem.line,
      message: problem.message,
      code: problem.code,
      ...(severity === 'advisory' || unreliable.has(problem) ? { advisory: true } : {}),
      ...(severity.startsWith('breaks') ? { breaksBuild: true } : {}),
    }
  }
  const fresh = introduced.map(toFinding).sort((a, b) => Number(a.advisory ?? false) - Number(b.advisory ?? false))
  const listed = scope === 'all' ? [...introduced, ...preexisting] : introduced
  const findings = scope === 'all' ? [...fresh, ...preexisting.map(toFinding)] : fresh
  const notes = [...new Set(listed.flatMap((problem) => toNote(unreliable.get(problem)))), ...(unjudged?.reasons ?? [])]
  const isFailed = introduced.some((problem) => !unreliable.has(problem))
  return {
    name: check.name,
    // A check that could not look must not pass.
    status: isFailed ? 'failed' : unjudged?.isPartial === false ? 'skipped' : 'passed',
    introduced: introduced.length,
    preexisting: preexisting.length,
    findings: findings.slice(0, MAX_FINDINGS),
    ...(fixed.length > 0 ? { fixed: fixed.length } : {}),
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

/**
 * Returns the pages that were not checked as a result, if there are any.
 * @param unread reasons keyed by page
 * @param leftOut number of pages beyond the limit
 */
export function toUnread(unread: ReadonlyMap<string, string>, leftOut: number): CheckResult[] {
  const findings: CheckFinding[] = [...unread].map(([file, reason]) => ({
    file,
    line: null,
    message: `Not checked: ${reason}.`,
  }))
  if (leftOut > 0) {
    const message = `${leftOut === 1 ? '1 page was' : `${leftOut} pages were`} not checked, because the repository has too many pages.`
    findings.push({ file: '', line: null, message })
  }
  if (findings.length === 0) return []
  return [
    { name: 'unread', status: 'skipped', introduced: 0, preexisting: 0, findings: findings.slice(0, MAX_FINDINGS) },
  ]
}
