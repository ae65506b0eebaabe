import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isBelow, PAGE, toAddress, toFolders } from '../pages/paths.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { findEntryPages } from './find-entry-pages.ts'
import type { SiteIndex } from './site-index.ts'
import { toUrls } from './to-urls.ts'

/** Matches files that implement a route in code if they are in a route folder. */
const CODE_ROUTE = /\.(?:[jt]sx?|astro|vue|svelte|html)$/

/**
 * Indexes a repository's files and URLs, using the paths of all regular files and the front matter
 * of its pages.
 */
export function buildSiteIndex(
  sites: readonly Site[],
  paths: Iterable<string>,
  facts: ReadonlyMap<string, PageFacts> = new Map(),
): SiteIndex {
  const files = new Set(paths)
  const pages = sites.map(() => new Map<string, string[]>())
  const ids = sites.map(() => new Map<string, string[]>())
  const labels = sites.map(() => new Map<string, string[]>())
  const unread = sites.map(() => false)
  for (const path of files) {
    const isPage = PAGE.test(path)
    if (!isPage && !CODE_ROUTE.test(path)) continue
    const site = findSite(sites, path)
    const at = sites.indexOf(site)
    if (!isPage && !isRoute(site, path)) continue
    const own = facts.get(path) ?? null
    if (isPage && own === null && findContent(site, path) !== null) unread[at] = true
    for (const url of toUrls(site, path, own)) addTo(pages[at], url, path)
    if (own !== null && site.framework.sharesAnchors) for (const label of own.labels) addTo(labels[at], label, path)
    const id = own === null ? null : findOwnId(site, path, own)
    if (id !== null) addTo(ids[at], id, path)
  }
  const redirects = sites.map(({ redirects: { list } }) => {
    // A redirect that applies only to some requests does not make a URL work for the others.
    const known = list.filter(({ isConditional }) => !isConditional)
    // If two redirects have the same source, the first one applies.
    const plain = known.filter(({ pattern }) => !pattern).toReversed()
    return {
      plain: new Map(plain.map((redirect) => [toAddress(redirect.source), redirect])),
      patterns: known.filter(({ pattern }) => pattern),
    }
  })
  const urlFolders = pages.map((urls) => toFolders([...urls.keys()].map((url) => url.slice(1))))
  const index = {
    sites,
    files,
    folders: toFolders(files),
    pages,
    urlFolders,
    ids,
    labels,
    unread,
    redirects,
    facts,
    named: [],
  }
  const named = sites.map(
    (site) => new Set(site.navigation.entries.flatMap((entry) => findEntryPages(index, site, entry).paths.slice(0, 1))),
  )
  return { ...index, named }
}

function addTo(map: Map<string, string[]> | undefined, key: string, path: string): void {
  const known = map?.get(key)
  if (known === undefined) map?.set(key, [path])
  else known.push(path)
}

/** Returns the id in a page's front matter, or null if the page or framework has no ids. */
function findOwnId(site: Site, page: string, facts: PageFacts): string | null {
  const content = findContent(site, page)
  if (facts.id === null || content?.kind !== 'docs') return null
  return site.framework.toId?.(page, content, facts.id) ?? null
}

function isRoute(site: Site, path: string): boolean {
  const content = findContent(site, path)
  return content !== null && /(?:^|\/)(?:pages|app)$/.test(content.folder) && isBelow(path, content.folder)
}
