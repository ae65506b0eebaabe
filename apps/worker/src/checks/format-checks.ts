import type { CheckResult } from '@corrigenda/contracts'
import { NAVIGATION_INVALID } from './find-navigation-problems.ts'

const MAX_ROWS = 40

/** Check results for the model: introduced faults first, then the older ones, then what was left out. */
export function formatChecks(results: readonly CheckResult[]): string {
  const introduced = results.flatMap((result) =>
    result.findings.slice(0, result.introduced).map((finding) => formatFinding(result.name, finding)),
  )
  const older = results.flatMap((result) =>
    result.findings.slice(result.introduced).map((finding) => formatFinding(result.name, finding)),
  )
  const count = sum(results, 'introduced')
  const baseline = sum(results, 'preexisting')
  const out: string[] = []
  if (count === 0) out.push('Your changes introduce no problems.')
  else
    out.push(
      `Your changes introduce ${count} ${count === 1 ? 'problem' : 'problems'}:`,
      ...introduced.slice(0, MAX_ROWS),
    )
  const room = Math.max(0, MAX_ROWS - introduced.length)
  if (baseline > 0) {
    out.push(
      `${baseline} ${baseline === 1 ? 'problem was' : 'problems were'} there before; leave them unless you were asked.`,
    )
    out.push(...older.slice(0, room))
  }
  const hidden =
    count + (older.length > 0 ? baseline : 0) - Math.min(introduced.length, MAX_ROWS) - Math.min(older.length, room)
  if (hidden > 0) out.push(`… and ${hidden} more`)
  for (const skipped of results.filter((result) => result.status === 'skipped')) {
    out.push(...skipped.findings.map((finding) => finding.message))
  }
  return out.join('\n')
}

/** The introduced findings of one file, one row each. */
export function formatIntroduced(results: readonly CheckResult[], path?: string): string[] {
  return results.flatMap((result) =>
    result.findings
      .slice(0, result.introduced)
      .filter((finding) => path === undefined || finding.file === path)
      .map((finding) => formatFinding(result.name, finding)),
  )
}

/** Introduced faults that keep pages from building: unreadable pages, front matter and navigation files. A dead entry is not one. */
export function formatBlocking(results: readonly CheckResult[]): string[] {
  return results.flatMap((result) =>
    result.findings
      .slice(0, result.introduced)
      .filter(({ message }) => result.name !== 'navigation' || message.startsWith(NAVIGATION_INVALID))
      .map((finding) => formatFinding(result.name, finding)),
  )
}

function formatFinding(name: string, finding: CheckResult['findings'][number]): string {
  return `${finding.file}${finding.line === null ? '' : `:${finding.line}`}: [${name}] ${finding.message}`
}

function sum(results: readonly CheckResult[], key: 'introduced' | 'preexisting'): number {
  return results.reduce((total, result) => total + result[key], 0)
}
