import type { CheckFinding, CheckResult } from '../reading/result.ts'

const MAX_ROWS = 40

/**
 * Formats check results for the model: new issues, fixed issues, existing issues, then skipped or
 * unreliable checks.
 */
export function formatChecks(results: readonly CheckResult[]): string {
  const introduced = formatIntroduced(results)
  const older = results.flatMap(({ name, introduced, preexisting, findings }) =>
    preexisting === 0 ? [] : findings.slice(introduced).map((finding) => formatFinding(name, finding)),
  )
  const count = sum(results, (result) => result.introduced)
  const fixed = sum(results, (result) => result.fixed ?? 0)
  const baseline = sum(results, (result) => result.preexisting)
  const out: string[] = []
  if (count === 0) out.push('Your changes introduce no issues.')
  else out.push(`Your changes introduce ${toCount(count)}:`, ...introduced.slice(0, MAX_ROWS))
  if (fixed > 0) out.push(`Your changes fix ${toCount(fixed)} in the base commit.`)
  const remaining = Math.max(0, MAX_ROWS - introduced.length)
  const listed = older.length > 0
  if (baseline > 0) {
    out.push(
      `${toCount(baseline)} existed before your changes. Do not fix ${baseline === 1 ? 'it' : 'them'} unless the task asks for it.`,
    )
    if (listed) out.push(...older.slice(0, remaining))
  }
  const hidden =
    count +
    (listed ? baseline : 0) -
    Math.min(introduced.length, MAX_ROWS) -
    (listed ? Math.min(older.length, remaining) : 0)
  if (hidden > 0) out.push(`… and ${hidden} more`)
  out.push(...formatNotes(results))
  return out.join('\n')
}

/** Returns what the checks could not look at, and which of their issues are unreliable. */
export function formatNotes(results: readonly CheckResult[]): string[] {
  return results.flatMap(({ name, status, introduced, preexisting, findings, note }) => [
    ...(note === undefined ? [] : [`[${name}${status === 'skipped' ? ', skipped' : ''}] ${note}`]),
    ...(status === 'skipped' && introduced + preexisting === 0
      ? findings.slice(0, MAX_ROWS / 4).map((finding) => formatFinding(name, finding))
      : []),
  ])
}

/** Returns one row for each introduced finding in one file, or in all files. */
export function formatIntroduced(results: readonly CheckResult[], path?: string): string[] {
  return listIntroduced(results, (finding) => path === undefined || finding.file === path)
}

/**
 * Returns the introduced issues that the model must fix before it can finish. Excludes advisory
 * findings.
 */
export function formatBlocking(results: readonly CheckResult[]): string[] {
  return listIntroduced(results, (finding) => finding.advisory !== true)
}

/**
 * Returns the blocking issues that may prevent the site from building. Changes with such issues
 * never reach a pull request.
 */
export function formatGrave(results: readonly CheckResult[]): string[] {
  return listIntroduced(results, ({ advisory, breaksBuild }) => advisory !== true && breaksBuild === true)
}

function listIntroduced(results: readonly CheckResult[], isWanted: (finding: CheckFinding) => boolean): string[] {
  return results.flatMap((result) =>
    result.findings
      .slice(0, result.introduced)
      .filter(isWanted)
      .map((finding) => formatFinding(result.name, finding)),
  )
}

function formatFinding(name: string, { file, line, message, advisory }: CheckFinding): string {
  const place = file === '' ? '' : `${file}${line === null ? '' : `:${line}`}: `
  return `${place}[${name}${advisory === true ? ', advice' : ''}] ${message}`
}

function toCount(count: number): string {
  return `${count} ${count === 1 ? 'issue' : 'issues'}`
}

function sum(results: readonly CheckResult[], read: (result: CheckResult) => number): number {
  return results.reduce((total, result) => total + read(result), 0)
}
