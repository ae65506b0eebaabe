import type { DocSite } from '../model/doc-site.ts'
import { type DocPage, type PageLink, reduceId } from '../model/read-page.ts'
import type { DefectKind, DefectPlace } from './defect.ts'
import { editPage } from './edit-page.ts'

/** Lists links whose anchor is an id of the target page that occurs once. */
function listAnchored(
  site: DocSite,
  accepts: (page: DocPage, target: DocPage) => boolean,
  change: (anchor: string) => string,
): DefectPlace[] {
  return site.content.flatMap((page) =>
    page.links.flatMap((link): DefectPlace[] => {
      const anchor = toAnchor(link)
      const found = anchor === null ? null : site.resolve(page.path, link.href)
      const target = found === null ? undefined : site.pages.get(found.file)
      if (anchor === null || found?.anchor == null || target === undefined || !accepts(page, target)) return []
      if (target.ids.get(reduceId(found.anchor)) !== 1 || !isPlain(target)) return []
      const changed = change(anchor)
      if (target.ids.has(reduceId(changed))) return []
      const start = link.start + link.href.length - anchor.length
      return [
        {
          where: `${page.path}:${link.line}: ${link.href}`,
          build: () => editPage(page, start, start + anchor.length, changed),
        },
      ]
    }),
  )
}

function toAnchor({ href, kind }: PageLink): string | null {
  const at = href.indexOf('#')
  return kind === 'image' || at === -1 || at === href.length - 1 ? null : href.slice(at + 1)
}

/** True if the page's ids are all in the page itself: it neither imports nor includes other text. */
function isPlain({ text }: DocPage): boolean {
  return !/^import .*\.mdx?["']|--8<--|\{\{#include|@include|<Snippet/m.test(text)
}

function listRenamed(site: DocSite): DefectPlace[] {
  const places: DefectPlace[] = []
  for (const [file, links] of site.inbound) {
    const page = site.pages.get(file)
    if (page === undefined || !site.content.includes(page) || !isPlain(page)) continue
    for (const heading of page.headings) {
      const id = reduceId(heading.text)
      if (heading.explicitId !== null || page.ids.get(id) !== 1) continue
      if (!links.some(({ anchor }) => anchor !== null && reduceId(anchor) === id)) continue
      places.push({
        where: `${file}: heading "${heading.text}"`,
        build: () => editPage(page, heading.start, heading.end, `Entirely different ${heading.text}`),
      })
    }
  }
  return places
}

export const ANCHOR_DEFECTS: readonly DefectKind[] = [
  {
    id: 'anchor-same-page',
    group: 'core',
    list: (site) =>
      listAnchored(
        site,
        (page, target) => page === target,
        (anchor) => `${anchor}-nowhere`,
      ),
  },
  {
    id: 'anchor-other-page',
    group: 'core',
    list: (site) =>
      listAnchored(
        site,
        (page, target) => page !== target,
        (anchor) => `${anchor}-nowhere`,
      ),
  },
  {
    id: 'anchor-second',
    group: 'core',
    list: (site) =>
      listAnchored(
        site,
        () => true,
        (anchor) => `${anchor}-1`,
      ),
  },
  { id: 'heading-renamed', group: 'core', list: listRenamed },
]
