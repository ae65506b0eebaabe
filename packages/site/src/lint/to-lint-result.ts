import type { Problem } from '../reading/problem.ts'
import type { CheckResult } from '../reading/result.ts'
import { splitIntroduced } from '../reading/split-introduced.ts'
import type { LintFinding } from '../thread/lint-finding.ts'

const MAX_FINDINGS = 200

type LinterName = 'markdownlint' | 'cspell' | 'vale'

/**
 * Builds the result of one check from the findings before and after the change, keyed by path. The
 * findings are advisory, and only those introduced by the change are included.
 */
export function toLintResult(
  name: LinterName,
  before: ReadonlyMap<string, readonly LintFinding[]>,
  after: ReadonlyMap<string, readonly LintFinding[]>,
  renames: ReadonlyMap<string, string>,
): CheckResult {
  const toProblems = (side: ReadonlyMap<string, readonly LintFinding[]>) =>
    [...side].flatMap(([path, findings]) =>
      findings.map(({ rule, line, subject, message }): Problem => ({ code: rule, path, line, subject, message })),
    )
  const { introduced, preexisting } = splitIntroduced(toProblems(before), toProblems(after), renames)
  const findings = introduced
    .slice(0, MAX_FINDINGS)
    .map(({ path, line, message }) => ({ file: path, line, message, advisory: true }))
  const status = introduced.length > 0 ? 'failed' : 'passed'
  return { name, status, introduced: introduced.length, preexisting: preexisting.length, findings }
}

/** Builds the result of a configured linter that did not run. */
export function toLintSkipped(name: LinterName, file: string, message: string): CheckResult {
  return { name, status: 'skipped', introduced: 0, preexisting: 0, findings: [{ file, line: null, message }] }
}
