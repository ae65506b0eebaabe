import type { DocSite } from '../model/doc-site.ts'
import { listEntries } from '../model/list-entries.ts'
import type { DocPage } from '../model/read-page.ts'
import type { DefectKind, DefectPlace, FileEdit } from './defect.ts'

type Change = (page: DocPage, site: DocSite) => readonly FileEdit[] | null

const remove: Change = ({ path }) => [{ path, text: null }]

const rename: Change = ({ path, text }) => [
  { path, text: null },
  { path: path.replace(/(\.\w+)$/, '-renamed$1'), text },
]

/** Adds a page without an entry next to a page that has one. */
const addOrphan: Change = ({ path, text }, site) => {
  const orphan = path.replace(/[^/]*(\.\w+)$/, 'page-without-an-entry$1')
  const own = text.replace(/^(?:slug|id|sidebar_position|url): .*\r?\n/gm, '')
  return site.files.has(orphan) ? null : [{ path: orphan, text: own }]
}

function listLinked(site: DocSite, change: Change): DefectPlace[] {
  return site.content.flatMap((page) => {
    const links = site.inbound.get(page.path) ?? []
    const isLinked = links.some((link) => link.page !== page && site.content.includes(link.page))
    if (!isLinked || (hasOwnAddress(page) && change === rename) || hasFallback(site, page)) return []
    return [toPlace(site, page, change)]
  })
}

/** True if a page keeps its address or its id when its file is renamed. */
function hasOwnAddress(page: DocPage): boolean {
  return /^(?:slug|id|url):/m.test(page.text.slice(0, page.frontEnd))
}

function listNamed(site: DocSite, change: Change): DefectPlace[] {
  const named = new Set(listEntries(site).map((entry) => entry.page))
  return site.content.flatMap((page) => {
    if (hasOwnAddress(page) && change === rename) return []
    const isIndex = /(?:^|\/)(?:index|README|_index|page)\.\w+$/.test(page.path)
    return named.has(page.path) && !hasFallback(site, page) && !(isIndex && change === addOrphan)
      ? [toPlace(site, page, change)]
      : []
  })
}

/** True if the main language's page is served at the address of a missing translation. */
function hasFallback({ files, layout }: DocSite, { path }: DocPage): boolean {
  if (layout.framework !== 'starlight') return false
  return ['', 'en/'].some((main) => {
    const other = path.replace(/(?<=^|\/)(?!en\/)[a-z]{2}(?:-[a-z]{2,3})?\//, main)
    return other !== path && [other, other.replace(/x$/, ''), `${other}x`].some((file) => files.has(file))
  })
}

function toPlace(site: DocSite, page: DocPage, change: Change): DefectPlace {
  return { where: page.path, build: () => change(page, site) }
}

export const PAGE_DEFECTS: readonly DefectKind[] = [
  { id: 'page-deleted-linked', group: 'core', list: (site) => listLinked(site, remove) },
  { id: 'page-renamed-linked', group: 'core', list: (site) => listLinked(site, rename) },
  { id: 'page-deleted-named', group: 'core', list: (site) => listNamed(site, remove) },
  { id: 'page-renamed-named', group: 'core', list: (site) => listNamed(site, rename) },
  { id: 'page-orphan', group: 'core', list: (site) => listNamed(site, addOrphan) },
]
