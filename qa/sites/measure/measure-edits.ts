import { posix } from 'node:path'
import { applyMove, planDelete, planMove } from '@corrigenda/site/move'
import type { PageReader } from '@corrigenda/site/thread'
import { buildSite } from '../model/build-site.ts'
import type { DocSite } from '../model/doc-site.ts'
import type { Fault } from '../oracle/fault.ts'
import { judgeChange } from '../oracle/judge-change.ts'
import type { TreeWorkspace } from '../tree/build-tree-workspace.ts'
import { readTree } from '../tree/read-tree.ts'
import { buildRandom } from './build-random.ts'
import { chooseTargets } from './choose-targets.ts'
import { shuffle } from './shuffle.ts'

export interface EditReport {
  readonly what: string
  /** CPU time of planning and applying, in seconds. */
  readonly seconds: number
  /** The reason why the tool refused, or null. */
  readonly refused: string | null
  readonly faults: readonly Fault[]
  /** References that the tool listed as not rewritten. */
  readonly left: readonly string[]
  readonly changedFiles: number
}

export interface EditsInput {
  readonly site: DocSite
  readonly workspace: TreeWorkspace
  readonly pages: PageReader
  readonly edits: number
  readonly seed: number
}

/** Moves random pages, one at a time. */
export async function measureMoves({ site, workspace, pages: reader, edits, seed }: EditsInput): Promise<EditReport[]> {
  const reports: EditReport[] = []
  for (const [from, to] of chooseTargets(site, edits, buildRandom(seed + 17))) {
    const moves = new Map([[from, to]])
    reports.push(
      await runEdit(site, workspace, `${from} → ${to}`, moves, true, async () => {
        const plan = await planMove(workspace, moves, () => null, reader)
        await applyMove(workspace, moves, plan.writes)
        return { left: [...plan.left, ...plan.mentions.rows], listed: [] }
      }),
    )
  }
  return reports
}

/** Deletes random pages with their navigation entries, one at a time. */
export async function measureDeletions({
  site,
  workspace,
  pages: reader,
  edits,
  seed,
}: EditsInput): Promise<EditReport[]> {
  const reports: EditReport[] = []
  const isHome = ({ path }: { path: string }) =>
    site.layout.content.some((folder) => posix.dirname(path) === (folder || '.')) &&
    /(?:^|\/)(?:index|README)\.\w+$/i.test(path)
  const pages = site.content.filter((page) => !isHome(page))
  for (const { path } of shuffle(pages, buildRandom(seed + 29)).slice(0, edits)) {
    reports.push(
      await runEdit(site, workspace, path, new Map([[path, null]]), true, async () => {
        const plan = await planDelete(workspace, path, () => null, true, reader)
        await applyMove(workspace, new Map(), plan.writes, path)
        return { left: [...plan.left, ...plan.mentions.rows], listed: [...plan.links, ...plan.mentions.rows] }
      }),
    )
  }
  return reports
}

async function runEdit(
  site: DocSite,
  workspace: TreeWorkspace,
  what: string,
  moves: ReadonlyMap<string, string | null>,
  removesEntries: boolean,
  edit: () => Promise<{ left: readonly string[]; listed: readonly string[] }>,
): Promise<EditReport> {
  workspace.reset()
  const start = process.cpuUsage()
  let [refused, left, listed]: [string | null, readonly string[], readonly string[]] = [null, [], []]
  try {
    ;({ left, listed } = await edit())
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'MoveError') throw error
    refused = error.message
  }
  const { user, system } = process.cpuUsage(start)
  const changes = await workspace.changes()
  const faults: Fault[] = []
  if (refused === null) {
    const after = buildSite(await readTree(site.tree, workspace), site.layout, site)
    const isTold = ({ kind, file }: Fault) => kind === 'stale' && left.some((row) => row.startsWith(`${file}:`))
    const judged = judgeChange({ before: site, after, moves }, removesEntries)
    faults.push(...judged.map((fault): Fault => (isTold(fault) ? { ...fault, kind: 'told' } : fault)))
    const [deleted] = [...moves].find(([, to]) => to === null) ?? []
    if (deleted !== undefined) faults.push(...findUnlisted(site, deleted, listed))
  } else if (changes.length > 0) {
    faults.push({ kind: 'damage', file: changes[0]?.path ?? '', line: null, message: 'changed by a refused edit' })
  }
  workspace.reset()
  return { what, seconds: (user + system) / 1e6, refused, faults, left, changedFiles: changes.length }
}

/** Returns the links to a deleted page that the tool did not list. */
function findUnlisted(site: DocSite, deleted: string, listed: readonly string[]): Fault[] {
  const known = new Set(listed.map((row) => /^.*?:\d+(?=:)/.exec(row)?.[0]))
  return (site.inbound.get(deleted) ?? []).flatMap(({ page, at }): Fault[] => {
    const link = page.links[at]
    if (page.path === deleted || link === undefined || site.navigation.includes(page.path)) return []
    if (known.has(`${page.path}:${link.line}`)) return []
    return [{ kind: 'unlisted', file: page.path, line: link.line, message: `${link.href} leads to the deleted page` }]
  })
}
