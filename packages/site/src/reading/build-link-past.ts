import type { Site } from '../frameworks/framework.ts'
import { resolvePageLink } from '../links/resolve-page-link.ts'
import type { LinkTarget } from '../links/site-index.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import type { PageContent, PageLink } from '../pages/page-content.ts'
import type { LinkPast, LinkSide } from './link-side.ts'

interface LinkPastInput {
  readonly base: LinkSide
  /** Current sites. */
  readonly sites: readonly Site[]
  /** Contents keyed by changed page, null for deleted pages. */
  readonly changed: ReadonlyMap<string, PageContent | null>
  /** New paths keyed by old path. */
  readonly renames: ReadonlyMap<string, string>
}

/** Maximum number of links with one text on a page that are compared. */
const MAX_SAME = 50

export function buildLinkPast({ base, sites, changed, renames }: LinkPastInput): LinkPast {
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]))
  const resolve = (page: string, link: PageLink): LinkTarget =>
    resolvePageLink(base.index, oldPaths.get(page) ?? page, link)
  const known = new Set(base.index.sites.flatMap((site) => site.openUrls))
  const addsRoutes = sites.some((site) => site.openUrls.some((url) => !known.has(url)))
  const added = findAddedAnchors(base, changed, oldPaths)
  const grouped = new WeakMap<PageContent, ReadonlyMap<string, readonly PageLink[]>>()
  const group = (content: PageContent | null | undefined): ReadonlyMap<string, readonly PageLink[]> => {
    if (content == null) return new Map()
    const known = grouped.get(content)
    if (known !== undefined) return known
    const links = new Map<string, PageLink[]>()
    for (const link of content.links) {
      const same = links.get(toTextKey(link))
      if (same === undefined) links.set(toTextKey(link), [link])
      else if (same.length < MAX_SAME) same.push(link)
    }
    grouped.set(content, links)
    return links
  }
  return {
    isResolved(page, link, { doubt }) {
      const { verdict, kind, redirect } = resolve(page, link)
      if (doubt === 'route' && (addsRoutes || redirect !== null)) return false
      return verdict === 'yes' && kind !== 'external'
    },
    hasAnchor(page, link) {
      const { verdict, anchor, paths } = resolve(page, link)
      if (verdict !== 'yes' || anchor === null) return false
      const name = foldAnchor(anchor)
      return paths.some((path) => {
        const content = base.contentOf(path)
        if (content === undefined || content.unread !== null) return false
        return name !== '' && base.anchorsOf(content).has(name) && !added.has(name)
      })
    },
    findReplaced(page, link) {
      if (!link.text) return null
      const after = group(changed.get(page)).get(toTextKey(link)) ?? []
      const before = group(base.contentOf(oldPaths.get(page) ?? page)).get(toTextKey(link)) ?? []
      const [removed, ...others] = subtract(before, after)
      const added = subtract(after, before)
      return others.length === 0 && added.length === 1 && added[0]?.href === link.href ? (removed ?? null) : null
    },
  }
}

/** Returns the links whose destination occurs more often than among the other links. */
function subtract(links: readonly PageLink[], others: readonly PageLink[]): PageLink[] {
  const left = others.map(({ href }) => href)
  return links.filter(({ href }) => {
    const at = left.indexOf(href)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

function toTextKey({ kind, text = '' }: PageLink): string {
  return `${kind} ${text}`
}

/** Returns the anchors that the change adds to any page. A page may include the other page. */
function findAddedAnchors(
  base: LinkSide,
  changed: ReadonlyMap<string, PageContent | null>,
  oldPaths: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const added = new Set<string>()
  for (const [path, content] of changed) {
    const before = base.contentOf(oldPaths.get(path) ?? path)
    const known = before === undefined ? null : base.anchorsOf(before)
    for (const anchor of content?.anchors ?? []) if (!known?.has(anchor)) added.add(anchor)
  }
  return added
}
