import type { CheckResult } from '@corrigenda/contracts'
import type { Checker } from '@corrigenda/site/checks'
import { openSites } from '@corrigenda/site/sites'
import type { TreeWorkspace } from '../tree/build-tree-workspace.ts'

export interface TreeReport {
  /** Recognized frameworks with the folder of each site. */
  readonly frameworks: readonly string[]
  /** CPU time in seconds: of reading the sites, of the first full check, and of a second one. */
  readonly openSeconds: number
  readonly checkSeconds: number
  readonly recheckSeconds: number
  /** Findings on the untouched tree. */
  readonly findings: readonly CheckResult[]
}

/** Recognizes the sites of the untouched tree and checks all of it. */
export async function measureTree(workspace: TreeWorkspace, checker: Checker): Promise<TreeReport> {
  workspace.reset()
  const start = process.cpuUsage()
  const { sites } = await openSites(workspace)
  const openSeconds = toSeconds(process.cpuUsage(start))
  const first = process.cpuUsage()
  const findings = await checker.checkDocs({ workspace, scope: 'all' })
  const checkSeconds = toSeconds(process.cpuUsage(first))
  const second = process.cpuUsage()
  await checker.checkDocs({ workspace, scope: 'changed' })
  return {
    frameworks: sites.flatMap(({ framework, root, config }) =>
      config === null ? [] : [`${framework.name} in /${root}`],
    ),
    openSeconds,
    checkSeconds,
    recheckSeconds: toSeconds(process.cpuUsage(second)),
    findings,
  }
}

function toSeconds({ user, system }: NodeJS.CpuUsage): number {
  return Math.round((user + system) / 10_000) / 100
}
