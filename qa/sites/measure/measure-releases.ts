import type { CheckResult } from '@corrigenda/contracts'
import type { Checker } from '@corrigenda/site/checks'
import { buildCommitWorkspace } from '../../check-history/build-commit-workspace.ts'
import type { GitObjects } from '../../check-history/open-objects.ts'

export interface ReleaseReport {
  /** `from..to`, as tags or commits. */
  readonly name: string
  /** Introduced findings; those that block the change first. */
  readonly findings: readonly (CheckResult['findings'][number] & { readonly check: string })[]
}

/** Checks each commit as a change to the one before it. */
export async function measureReleases(
  objects: GitObjects,
  checker: Checker,
  commits: readonly string[],
): Promise<ReleaseReport[]> {
  const reports: ReleaseReport[] = []
  for (const [at, commit] of commits.entries()) {
    const from = commits[at - 1]
    if (from === undefined) continue
    const workspace = buildCommitWorkspace(objects, await objects.listTree(from), await objects.listTree(commit))
    const results = await checker.checkDocs({ workspace, scope: 'changed' })
    const findings = results.flatMap(({ name, introduced, findings: all }) =>
      all.slice(0, introduced).map((finding) => ({ ...finding, check: name })),
    )
    reports.push({
      name: `${from.slice(0, 10)}..${commit.slice(0, 10)}`,
      findings: findings.sort((a, b) => Number(a.advisory === true) - Number(b.advisory === true)),
    })
  }
  return reports
}
