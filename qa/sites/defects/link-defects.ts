import type { DocSite } from '../model/doc-site.ts'
import type { DocPage, PageLink } from '../model/read-page.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'
import { insertBlock } from './insert-block.ts'

type Change = (href: string) => string | null

const isAbsolute = ({ href }: PageLink) => href.startsWith('/')

/** Changes the path of links that lead to another page, so that they lead nowhere. */
function listBroken(site: DocSite, accepts: (link: PageLink) => boolean, change: Change): DefectPlace[] {
  return site.content.flatMap((page) =>
    page.links.flatMap((link): DefectPlace[] => {
      const target = link.kind === 'link' && accepts(link) ? site.resolve(page.path, link.href) : null
      if (target === null || target.file === page.path || !site.pages.has(target.file)) return []
      return [{ where: `${page.path}:${link.line}: ${link.href}`, build: () => replace(site, page, link, change) }]
    }),
  )
}

function replace(site: DocSite, page: DocPage, link: PageLink, change: Change) {
  const [path = ''] = link.href.split(/[?#]/)
  const changed = change(path)
  if (changed === null || changed === path || site.resolve(page.path, changed) !== null) return null
  // Docusaurus also resolves a path to a file from the folder of the documents.
  const roots = site.layout.framework === 'docusaurus' && /^\w.*\.mdx?$/.test(changed) ? site.layout.content : []
  if (roots.some((root) => site.files.has(root === '' ? changed : `${root}/${changed}`))) return null
  return editPage(page, link.start, link.start + path.length, changed)
}

const misspell: Change = (path) => (path === '/' ? null : path.replace(/(\.(?:mdx?|html)|\/)?$/, '-nowhere$1'))

function changeDepth(path: string): string | null {
  if (path.startsWith('../')) return path.slice(3)
  return path.startsWith('./') ? `../../${path.slice(2)}` : `../../${path}`
}

function changeCase(path: string): string | null {
  const parts = path.split('/')
  const at = parts.findLastIndex((part) => /[a-z]/i.test(part) && !/^(?:index|readme)(?:\.\w+)?$/i.test(part))
  const part = parts[at]
  if (part === undefined) return null
  parts[at] = part.replace(/[a-z]/i, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  )
  return parts.join('/')
}

function listNew(site: DocSite, random: () => number): DefectPlace[] {
  return site.content.map((page) => ({
    where: `${page.path}: new sentence`,
    build: () => {
      const like = page.links.find(
        (link) => link.kind === 'link' && site.resolve(page.path, link.href)?.file.match(/\.mdx?$/),
      )
      if (like === undefined) return null
      const href = misspell(like.href.split(/[?#]/)[0] ?? '')
      if (href === null || /^-/.test(href) || site.resolve(page.path, href) !== null) return null
      return insertBlock(page, random, `See [the other page](${href}) for details.`)
    },
  }))
}

export const LINK_DEFECTS: readonly DefectKind[] = [
  { id: 'link-relative', group: 'core', list: (site) => listBroken(site, (link) => !isAbsolute(link), misspell) },
  { id: 'link-absolute', group: 'core', list: (site) => listBroken(site, isAbsolute, misspell) },
  { id: 'link-new', group: 'core', list: listNew },
  { id: 'link-depth', group: 'core', list: (site) => listBroken(site, (link) => !isAbsolute(link), changeDepth) },
  {
    id: 'link-case',
    group: 'core',
    // The templates of Hugo sites find pages in any case.
    list: (site) => (site.layout.framework === 'hugo' ? [] : listBroken(site, () => true, changeCase)),
  },
]
