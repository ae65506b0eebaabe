import type { DocSite } from '../model/doc-site.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'
import { insertBlock } from './insert-block.ts'

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i

function listImages(site: DocSite, isAttribute: boolean): DefectPlace[] {
  return site.content.flatMap((page) =>
    page.links.flatMap(({ kind, href, start, line }): DefectPlace[] => {
      const target = kind === 'image' ? site.resolve(page.path, href) : null
      if (target === null || !IMAGE.test(target.file) || !IMAGE.test(href)) return []
      if (/["']/.test(page.text[start - 1] ?? '') !== isAttribute) return []
      const broken = href.replace(/(\.\w+)$/, '-nowhere$1')
      return [
        { where: `${page.path}:${line}: ${href}`, build: () => editPage(page, start, start + href.length, broken) },
      ]
    }),
  )
}

function listNew(site: DocSite, random: () => number, href: string): DefectPlace[] {
  return site.content.map((page) => ({
    where: `${page.path}: new image ${href}`,
    build: () => insertBlock(page, random, `![Overview](${href})`),
  }))
}

function listDeleted(site: DocSite): DefectPlace[] {
  return [...site.inbound].flatMap(([file, links]): DefectPlace[] => {
    const isShown = links.some(({ page, at }) => page.links[at]?.kind === 'image' && site.content.includes(page))
    return IMAGE.test(file) && isShown ? [{ where: file, build: () => [{ path: file, text: null }] }] : []
  })
}

export const IMAGE_DEFECTS: readonly DefectKind[] = [
  { id: 'image-markdown', group: 'core', list: (site) => listImages(site, false) },
  { id: 'image-attribute', group: 'core', list: (site) => listImages(site, true) },
  { id: 'image-new-relative', group: 'core', list: (site, random) => listNew(site, random, './nowhere-overview.png') },
  {
    id: 'image-new-absolute',
    group: 'core',
    // Other frameworks do not say where the site is served.
    frameworks: ['vitepress', 'docusaurus', 'starlight', 'nextra', 'mintlify', 'fern'],
    list: (site, random) => listNew(site, random, '/nowhere/overview.png'),
  },
  { id: 'image-deleted', group: 'core', list: listDeleted },
]
