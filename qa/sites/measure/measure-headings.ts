import { applyMove, planHeading } from '@corrigenda/site/move'
import { buildSite } from '../model/build-site.ts'
import { type DocPage, type PageHeading, reduceId } from '../model/read-page.ts'
import { judgeHeading } from '../oracle/judge-heading.ts'
import { readTree } from '../tree/read-tree.ts'
import { buildRandom } from './build-random.ts'
import type { EditReport, EditsInput } from './measure-edits.ts'
import { shuffle } from './shuffle.ts'

/** Renames random headings, one at a time; those with inbound anchors first. */
export async function measureHeadings({
  site,
  workspace,
  pages: reader,
  edits,
  seed,
}: EditsInput): Promise<EditReport[]> {
  const random = buildRandom(seed + 41)
  const all = site.content.flatMap((page) => listHeadings(page).map((heading) => ({ page, heading })))
  const isLinked = ({ page, heading }: (typeof all)[number]) =>
    (site.inbound.get(page.path) ?? []).some(
      ({ anchor }) => anchor !== null && reduceId(anchor) === reduceId(heading.text),
    )
  const linked = shuffle(all.filter(isLinked), random)
  const others = shuffle(
    all.filter((one) => !isLinked(one)),
    random,
  )
  const reports: EditReport[] = []
  for (const { page, heading } of [...linked, ...others].slice(0, edits)) {
    workspace.reset()
    const start = process.cpuUsage()
    const newHeading = `Completely new ${heading.text}`
    let refused: string | null = null
    let left: readonly string[] = []
    try {
      const input = { page: page.path, heading: heading.text, newHeading, keepsAnchor: false }
      const plan = await planHeading(workspace, input, () => null, reader)
      await applyMove(workspace, new Map(), plan.writes)
      left = [...plan.left, ...plan.mentions.rows]
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'MoveError') throw error
      refused = error.message
    }
    const { user, system } = process.cpuUsage(start)
    const changes = await workspace.changes()
    const after = buildSite(await readTree(site.tree, workspace), site.layout, site)
    const faults = refused === null ? judgeHeading({ before: site, after, page: page.path, heading, newHeading }) : []
    const isTold = (file: string) => left.some((row) => row.startsWith(`${file}:`))
    reports.push({
      what: `${page.path}: ${heading.text}`,
      seconds: (user + system) / 1e6,
      refused,
      faults: faults.map((fault) =>
        fault.kind === 'stale' && isTold(fault.file) ? { ...fault, kind: 'told' } : fault,
      ),
      left,
      changedFiles: changes.length,
    })
  }
  workspace.reset()
  return reports
}

/** Returns the headings that occur once and consist of words only. */
function listHeadings(page: DocPage): PageHeading[] {
  return page.headings.filter(
    ({ text, explicitId }) =>
      explicitId === null && /^[\p{L}\p{N} ,.'-]+$/u.test(text) && page.ids.get(reduceId(text)) === 1,
  )
}
