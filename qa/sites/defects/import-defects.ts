import type { DocSite } from '../model/doc-site.ts'
import type { DocPage } from '../model/read-page.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'

const IMPORT = /^import\s[^'"\n]*?(?:from\s+)?["']((?:\.{1,2}\/|\/|@site\/|~\/|@\/)[^"'\n]+)["']/gm
const CONTENT = /\.(?:mdx?|png|jpe?g|gif|svg|webp|avif)$/i

/** Breaks imports of files of the repository in MDX pages. */
function listBroken(site: DocSite, isContent: boolean): DefectPlace[] {
  if (site.layout.hasNoMdx === true) return []
  return site.content.flatMap((page) => {
    if (!page.path.endsWith('.mdx') && site.layout.hasMdxMarkdown !== true) return []
    return [...page.masked.matchAll(IMPORT)].flatMap((match): DefectPlace[] => {
      const path = match[1] ?? ''
      // Masking removes the front matter, so the positions of the text apply.
      if (CONTENT.test(path) !== isContent || /[?!]/.test(path)) return []
      const start = match.index + match[0].lastIndexOf(path)
      const broken = path.replace(/(\.\w+)?$/, '-nowhere$1')
      return [{ where: `${page.path}: ${path}`, build: () => editPage(page, start, start + path.length, broken) }]
    })
  })
}

function listNew(site: DocSite, line: string): DefectPlace[] {
  return site.content.flatMap((page): DefectPlace[] =>
    page.path.endsWith('.mdx')
      ? [{ where: page.path, build: () => editPage(page, page.frontEnd, page.frontEnd, `\n${line}\n\n`) }]
      : [],
  )
}

const COMPONENT = /^import[ \t]+([A-Z]\w*)[ \t]+from[ \t]+["'][^"'\n]+["'];?[ \t]*\r?\n/gm
const NAMED =
  /^import[ \t]+\{[ \t]*([A-Z]\w+)\b[^}\n]*\}[ \t]+from[ \t]+["']((?:\.{1,2}\/|@site\/|~\/|@\/)[^"'\n]+)["']/gm

/** Removes the import of a component that the page uses. */
function listRemoved(site: DocSite): DefectPlace[] {
  return listMdx(site).flatMap((page) =>
    [...page.masked.matchAll(COMPONENT)].flatMap((match): DefectPlace[] => {
      const { 0: row, 1: name = '', index } = match
      // A tag at the start of a line is part of the page's own content.
      if (!new RegExp(`^<${name}[\\s/>]`, 'm').test(page.masked)) return []
      return [{ where: `${page.path}: ${name}`, build: () => editPage(page, index, index + row.length, '') }]
    }),
  )
}

/** Misspells a name that is imported from a file of the repository. */
function listMisspelt(site: DocSite): DefectPlace[] {
  return listMdx(site).flatMap((page) =>
    [...page.masked.matchAll(NAMED)].map((match): DefectPlace => {
      const name = match[1] ?? ''
      const end = match.index + match[0].indexOf(name) + name.length
      return { where: `${page.path}: ${name}`, build: () => editPage(page, end, end, 'Nowhere') }
    }),
  )
}

function listMdx(site: DocSite): DocPage[] {
  if (site.layout.hasNoMdx === true) return []
  return site.content.filter(({ path }) => path.endsWith('.mdx') || site.layout.hasMdxMarkdown === true)
}

export const IMPORT_DEFECTS: readonly DefectKind[] = [
  { id: 'import-content', group: 'core', list: (site) => listBroken(site, true) },
  {
    id: 'import-new-snippet',
    group: 'core',
    frameworks: ['mintlify'],
    list: (site) => listNew(site, 'import NoSuchSnippet from "/snippets/no-such-snippet.mdx";'),
  },
  { id: 'import-code', group: 'more', list: (site) => listBroken(site, false) },
  { id: 'import-removed', group: 'more', list: listRemoved },
  { id: 'import-name', group: 'more', list: listMisspelt },
]
