import type { DocSite } from '../model/doc-site.ts'
import type { DocPage } from '../model/read-page.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'

/** Returns the front matter's replacement, or null if it does not apply. */
type Change = (block: string, page: DocPage) => string | null

const addLine =
  (line: string): Change =>
  (block) =>
    block.replace(/^(\uFEFF?---\r?\n)/, `$1${line}\n`)

const repeatKey: Change = (block) => {
  const [row] = /^\w+:[ \t]+\S.*$/m.exec(block) ?? []
  return row === undefined ? null : block.replace(row, () => `${row}\n${row}`)
}

const breakLink: Change = (block) => {
  const changed = block.replace(/^([ \t]+(?:-[ \t]+)?(?:link|href):[ \t]+["']?)(\.{0,2}\/[\w./-]*\w)/m, '$1$2-nowhere')
  return changed === block ? null : changed
}

const breakImage: Change = (block) => {
  const changed = block.replace(
    /^([ \t]+(?:-[ \t]+)?(?:src|file):[ \t]+["']?\.{0,2}\/[\w./-]*\w)(\.\w+)/m,
    '$1-nowhere$2',
  )
  return changed === block ? null : changed
}

const breakDocument: Change = (block) => {
  const changed = block.replace(/^(pagination_(?:next|prev):[ \t]+(?!null\b)[\w/-]+)/m, '$1-nowhere')
  return changed === block ? null : changed
}

const CHANGES: readonly (readonly [string, DefectKind['group'], Change])[] = [
  ['front-colon', 'core', addLine('summary: one: two')],
  ['front-quote', 'core', addLine('summary: "not closed')],
  ['front-tab', 'core', addLine('\tsummary: one')],
  ['front-mention', 'core', addLine('author: @someone')],
  ['front-fence', 'core', (block) => block.replace(/---[ \t]*(\r?\n?)$/, '')],
  ['front-twice', 'core', repeatKey],
  ['front-late', 'core', (block) => `Words.\n${block}`],
  ['front-link', 'more', breakLink],
  ['front-image', 'more', breakImage],
  ['front-document', 'more', breakDocument],
]

function listChanged(site: DocSite, change: Change): DefectPlace[] {
  return site.content.flatMap((page): DefectPlace[] => {
    if (page.frontEnd === 0 || Object.keys(page.front).length === 0) return []
    const block = page.text.slice(0, page.frontEnd)
    const build = () => {
      const changed = change(block, page)
      return changed === null || changed === block ? null : editPage(page, 0, page.frontEnd, changed)
    }
    return [{ where: page.path, build }]
  })
}

export const FRONT_MATTER_DEFECTS: readonly DefectKind[] = CHANGES.map(([id, group, change]) => ({
  id,
  group,
  list: (site) => listChanged(site, change),
}))
