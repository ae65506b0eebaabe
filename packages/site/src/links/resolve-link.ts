import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { ContentFolder } from '../frameworks/site.ts'
import { LOCALHOST } from '../pages/collect-page.ts'
import { toLabel } from '../pages/find-labels.ts'
import { decodePath, dropExtension, IMAGE, isBelow, joinPath, PAGE, toFolder } from '../pages/paths.ts'
import { findFiles } from './find-files.ts'
import { isCopied } from './is-copied.ts'
import { isGenerated, mayGeneratePages, toNameArea, toPagePaths } from './is-generated.ts'
import { isOpaque } from './is-opaque.ts'
import { resolveReference } from './resolve-reference.ts'
import { resolveUrl } from './resolve-url.ts'
import type { LinkTarget, SiteIndex } from './site-index.ts'
import { toUrls } from './to-urls.ts'
import { UNRESOLVED } from './unresolved.ts'

/** Matches expressions and placeholders that are replaced when the page is built. */
const EXPRESSION = /[{}<>]|%%|\$\(|\||^[A-Z0-9]+(?:_[A-Z0-9]+)+$/

/**
 * Resolves a link or image destination by the rules of the page's site. If several rules may apply
 * (file paths and URLs, with and without a trailing slash), accepts a match by any rule. `href` is
 * the destination as written, without title or angle brackets.
 */
export function resolveLink(index: SiteIndex, page: string, destination: string): LinkTarget {
  const site = findSite(index.sites, page)
  const href = site.framework.ownScheme === undefined ? destination : destination.replace(site.framework.ownScheme, '')
  if (site.framework.rejectsLocalhost && !site.rewritesLinks && LOCALHOST.test(href))
    return { ...BROKEN, kind: 'absolute' }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return { ...UNRESOLVED, kind: 'external' }
  const [, written = '', hash] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? []
  const anchor = hash === undefined ? null : decodePath(hash)
  if (EXPRESSION.test(href)) return { ...UNRESOLVED, anchor }
  if (written === '') return { ...YES, paths: [page], anchor, kind: 'page' }
  const path = decodePath(written)
  if (path.startsWith('@site/')) {
    const file = joinPath(site.root, path.slice('@site/'.length))
    return file !== null && index.files.has(file) ? { ...YES, paths: [file], anchor } : { ...UNRESOLVED, anchor }
  }
  if (path.startsWith('@') || path.startsWith('~')) return { ...UNRESOLVED, anchor }
  const target = path.startsWith('/') ? resolveUrl(index, site, path) : resolveRelative(index, site, page, path)
  if (target.verdict === 'yes' || !site.resolvesNames) return { ...target, anchor }
  const named = resolveReference(index, page, path.replace(/(?<=[^/])\/+$/, ''))
  return named.verdict === 'yes' ? { ...target, ...named, anchor } : { ...target, anchor }
}

const YES: LinkTarget = { ...UNRESOLVED, verdict: 'yes', doubt: null }
const BROKEN: LinkTarget = { ...UNRESOLVED, verdict: 'no', doubt: null }

function resolveRelative(index: SiteIndex, site: Site, page: string, path: string): LinkTarget {
  const files = findFiles(index, site, page, path)
  const isDead = files.length > 0 && isDeadFile(site, page, path, files[0] ?? '')
  if (files.length > 0 && !isDead) return { ...YES, paths: files }
  const labelled = index.labels[index.sites.indexOf(site)]?.get(toLabel(path)) ?? []
  if (labelled.length > 0) return { ...YES, paths: labelled }
  const target = joinPath(toFolder(page), path)
  const plain = site.config === null || findContent(site, page) === null
  const isFolder = target !== null && index.folders.has(target)
  if (isFolder && plain) return { ...YES, isFolder: true }
  // Another file is mounted at this path.
  if (site.content.some(({ kind, folder }) => kind === 'opaque' && folder === target))
    return { ...UNRESOLVED, doubt: 'link' }
  let [doubt, area]: [LinkTarget['doubt'], string | null] = ['site', null]
  const urls = toRelativeUrls(index, site, page, path)
  if (isDead) {
    const found = urls.slice(-1).map((url) => resolveUrl(index, site, url))
    return found.find(({ verdict }) => site.framework.bareLinks === 'url' && verdict === 'yes') ?? BROKEN
  }
  for (const url of urls) {
    const found = resolveUrl(index, site, url)
    if (found.verdict === 'yes') return { ...found, kind: 'relative' }
    // Another site with an image of this name does not serve this one.
    if (found.doubt === 'route' || (found.doubt === 'elsewhere' && !IMAGE.test(path))) doubt = found.doubt
    else if (isOpaque(site, url) && !PAGE.test(path)) doubt = 'link'
    area = url === urls[0] ? found.area : area
  }
  if (isFolder) return UNRESOLVED
  // A script builds the page and its target.
  if (plain && /\.html?$/i.test(path)) return UNRESOLVED
  if (target === null ? plain : isGenerated(index, toPagePaths(target))) return UNRESOLVED
  // A script may copy the page to another folder.
  if (plain) return isCopied(index, page) ? { ...UNRESOLVED, doubt: 'site' } : BROKEN
  if (doubt !== 'site') return { ...UNRESOLVED, doubt }
  // Links to files are checked against the files. Links to URLs are checked only if URLs are known.
  const isNamed = PAGE.test(path) || /\.[a-z0-9]{2,5}$/i.test(path)
  const isFile = isNamed || path.endsWith('/')
  const filed = (PAGE.test(path) && !site.framework.addsPages) || (isFile && site.framework.linksToFiles === true)
  const own = toUrls(site, page, index.facts.get(page) ?? null)
  const isOutside = PAGE.test(path) ? leavesSite(site, own, path) : urls.length === 0 && own.length > 0
  // Other pages show a page without a URL, so the link is relative to their URLs.
  if (own.length === 0 && !PAGE.test(path) && !IMAGE.test(path))
    return site.framework.sharesAnchors ? { ...UNRESOLVED, doubt: 'site', area: toNameArea(path) } : UNRESOLVED
  if (isOutside) return resolveOutside(index, site, own, path)
  if (!isNamed && urls.length === 0) return UNRESOLVED
  // A generated page, or a label in one, may have this name.
  if (site.framework.sharesAnchors && !path.includes('/') && mayGeneratePages(index, site))
    return { ...UNRESOLVED, doubt: 'site', area: toNameArea(path) }
  return site.addresses === 'unknown' && !filed ? { ...UNRESOLVED, doubt: 'site', area } : BROKEN
}

/** Returns true if a file exists that a relative link names, but the framework does not convert the link. */
function isDeadFile(site: Site, page: string, path: string, file: string): boolean {
  const { bareLinks, keepsPageLinks, linksToOwnPages } = site.framework
  const [home, target] = [findContent(site, page), findContent(site, file)]
  if (home === null || site.rewritesLinks || !PAGE.test(file) || site.navigation.files.includes(page)) return false
  const isPage = PAGE.test(path)
  if (linksToOwnPages && isPage && !isSameContent(home, target)) return true
  return isPage
    ? keepsPageLinks === true
    : bareLinks !== undefined && joinPath(toFolder(page), path) === dropExtension(file)
}

/** Pages of other plugins and versions have other folders; those of other languages may replace a page. */
function isSameContent(home: ContentFolder, target: ContentFolder | null): boolean {
  if (target === null) return false
  return (
    home.folder === target.folder ||
    home.language !== target.language ||
    isBelow(target.folder, home.folder) ||
    isBelow(home.folder, target.folder)
  )
}

/** Returns true if another site may contain the target of a link to a page file. */
function leavesSite({ framework }: Site, own: readonly string[], path: string): boolean {
  const [url] = own
  return url !== undefined && framework.convertsAllLinks === true && joinPath(toFolder(url).slice(1), path) === null
}

/**
 * Resolves a relative link that leads above the root of the site. On a host that the site does not
 * share, browsers ignore the excess. On other hosts, other sites may be there.
 */
function resolveOutside(index: SiteIndex, site: Site, own: readonly string[], path: string): LinkTarget {
  if (site.framework.linksToFiles) return BROKEN
  const folders = own.flatMap((url) => [toFolder(url), url])
  const targets = folders.map((folder) => resolveUrl(index, site, toInside(folder, path)))
  const found = targets.find(({ verdict }) => verdict === 'yes')
  if (site.base === '' && site.framework.checksAbsoluteLinks === true) {
    const target = found ?? targets.find(({ verdict }) => verdict === 'unknown') ?? BROKEN
    return { ...target, kind: 'relative' }
  }
  // Unless the base commit has links to this level, it is the site's own page at the wrong depth.
  const levels = path.split('/').filter((part) => part === '..').length
  return found === undefined ? UNRESOLVED : { ...UNRESOLVED, doubt: 'site', area: '../'.repeat(levels) }
}

/** Resolves a relative path as browsers do: the root has no parent. */
function toInside(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/**
 * Returns the URLs that a relative link may lead to: below the folder of the page's URL, or below
 * the URL itself if it may end with a slash. The path of a page file is a URL only if the site
 * renames files.
 */
function toRelativeUrls(index: SiteIndex, site: Site, page: string, path: string): string[] {
  const isFile = PAGE.test(path)
  const content = findContent(site, page)
  if (isFile && content?.suffixes === undefined && content?.rewrites === undefined) return []
  const root = site.framework.acceptsRootPaths && !path.startsWith('.') ? [''] : []
  const addresses = toUrls(site, page, index.facts.get(page) ?? null)
  // The URL of an index page ends with a slash.
  const own = site.framework.keepsIndexApart ? addresses.slice(-1) : addresses
  const folders = own.flatMap((address) => {
    const parent = toFolder(address.slice(1))
    return isFile || site.framework.trailingSlash === false ? [parent] : [parent, address.slice(1)]
  })
  return [...folders, ...root].flatMap((folder) => {
    const url = joinPath(folder, path)
    return url === null ? [] : [`/${url}`]
  })
}
