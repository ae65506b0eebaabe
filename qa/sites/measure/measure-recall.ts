import type { Checker } from '@corrigenda/site/checks'
import { ALL_DEFECTS } from '../defects/all-defects.ts'
import type { DefectKind, FileEdit } from '../defects/defect.ts'
import type { DocSite } from '../model/doc-site.ts'
import type { TreeWorkspace } from '../tree/build-tree-workspace.ts'
import { buildRandom } from './build-random.ts'
import { shuffle } from './shuffle.ts'

export interface RecallRow {
  readonly kind: string
  readonly group: DefectKind['group']
  readonly tried: number
  readonly caught: number
  /** Number of caught defects with a finding that blocks the change. */
  readonly blocked: number
  /** Codes of the findings, with the number of defects. */
  readonly codes: Readonly<Record<string, number>>
  /** Places of the defects that no check reported. */
  readonly missed: readonly string[]
}

interface RecallInput {
  readonly site: DocSite
  readonly workspace: TreeWorkspace
  readonly checker: Checker
  readonly perKind: number
  readonly seed: number
}

/**
 * Injects defects one at a time and counts those with at least one introduced finding. The change
 * contains nothing else, so every introduced finding is caused by the defect.
 */
export async function measureRecall({ site, workspace, checker, perKind, seed }: RecallInput): Promise<RecallRow[]> {
  const rows: RecallRow[] = []
  for (const [at, kind] of ALL_DEFECTS.entries()) {
    if (kind.frameworks !== undefined && !kind.frameworks.includes(site.layout.framework)) continue
    const random = buildRandom(seed + at * 1_000_003)
    const missed: string[] = []
    const codes: Record<string, number> = {}
    let [tried, caught, blocked] = [0, 0, 0]
    for (const place of shuffle(kind.list(site, random), random)) {
      if (tried >= perKind) break
      const edits = place.build()
      if (edits === null) continue
      tried += 1
      workspace.reset()
      await applyEdits(workspace, edits)
      const results = await checker.checkDocs({ workspace, scope: 'changed' })
      const found = results.flatMap(({ introduced, findings }) => findings.slice(0, introduced))
      if (found.length === 0) missed.push(place.where)
      else caught += 1
      if (found.some(({ advisory }) => advisory !== true)) blocked += 1
      for (const code of new Set(found.map(({ code = '?' }) => code))) codes[code] = (codes[code] ?? 0) + 1
    }
    if (tried > 0) rows.push({ kind: kind.id, group: kind.group, tried, caught, blocked, codes, missed })
  }
  workspace.reset()
  return rows
}

async function applyEdits(workspace: TreeWorkspace, edits: readonly FileEdit[]): Promise<void> {
  for (const { path, text } of edits) {
    if (text === null) await workspace.remove(path)
    else await workspace.write(path, new TextEncoder().encode(text))
  }
}
