import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isBelow, joinPath, PAGE, toAddress, toFolder, toInner } from '../pages/paths.ts'
import { findPlainRedirect, isPatternRedirected } from './find-redirect.ts'
import { resolveReference } from './resolve-reference.ts'
import type { LinkTarget, SiteIndex } from './site-index.ts'
import { toUrls } from './to-urls.ts'

/** Matches expressions that are evaluated when the page is built. */
const EXPRESSION = /[{}<>]|%%|\$\(|\|/

/**
 * Resolves a link or image destination by the rules of the page's site. If several rules may apply
 * (file paths and URLs, with and without a trailing slash), accepts a match by any rule. `href` is
 * the destination as written, without title or angle brackets.
 */
export function resolveLink(index: SiteIndex, page: string, href: string): LinkTarget {
  const reference = href.startsWith('{') ? findSite(index.sites, page).framework.toReference?.(href) : null
  if (reference != null) return { ...NOTHING, ...resolveReference(index, page, reference) }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return { ...NOTHING, kind: 'external' }
  const [, written = '', hash] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? []
  const anchor = hash === undefined ? null : decode(hash)
  if (EXPRESSION.test(href)) return { ...NOTHING, anchor }
  if (written === '') return { ...NOTHING, verdict: 'yes', paths: [page], anchor, kind: 'page' }
  const site = findSite(index.sites, page)
  const path = decode(written)
  if (path.startsWith('@site/')) {
    const file = joinPath(site.root, path.slice('@site/'.length))
    const known = file !== null && index.files.has(file)
    return { ...NOTHING, verdict: known ? 'yes' : 'unknown', paths: known ? [file] : [], anchor }
  }
  if (path.startsWith('@') || path.startsWith('~')) return { ...NOTHING, anchor }
  if (path.startsWith('/')) return { ...resolveUrl(index, site, path), anchor }
  return { ...resolveRelative(index, site, page, path), anchor }
}

const NOTHING: LinkTarget = { verdict: 'unknown', paths: [], anchor: null, redirect: null, kind: 'relative' }

/** Resolves a site URL (decoded, with a leading slash, without `#` and `?`). */
export function resolveUrl(index: SiteIndex, site: Site, url: string): LinkTarget {
  const nothing = { ...NOTHING, kind: 'absolute' as const }
  for (const path of toForms(site, url)) {
    const paths = findByUrl(index, site, path)
    if (paths.length > 0) return { ...nothing, verdict: 'yes', paths }
  }
  for (const path of toForms(site, url)) {
    const redirect = findPlainRedirect(index, site, path)
    if (redirect !== null) return { ...nothing, verdict: 'yes', redirect }
  }
  const open = toForms(site, url).some((path) => isPatternRedirected(index, site, path) || isOpaque(site, path))
  if (open || site.addresses === 'unknown' || !site.redirects.complete) return nothing
  if (!site.framework.checksAbsoluteLinks) return nothing
  const elsewhere = index.sites.some(
    (other) => other !== site && other.config !== null && findByUrl(index, other, url).length > 0,
  )
  return elsewhere ? nothing : { ...nothing, verdict: 'no' }
}

/** Returns the URL's forms: without the site's base (if it starts with the base), and as written. */
function toForms(site: Site, url: string): string[] {
  const { base } = site
  return base !== '' && (url === base || url.startsWith(`${base}/`)) ? [url.slice(base.length) || '/', url] : [url]
}

function findByUrl(index: SiteIndex, site: Site, url: string): readonly string[] {
  const pages = index.pages[index.sites.indexOf(site)]
  const address = toAddress(url)
  const known = pages?.get(address)
  if (known !== undefined) return known
  const files = site.publicFolders.flatMap((folder) => {
    const path = joinPath(folder, url)
    return path !== null && index.files.has(path) ? [path] : []
  })
  if (files.length > 0) return files
  // MkDocs, mdBook and code hosts treat an absolute path as a file path.
  const roots =
    site.config === null ? [''] : site.content.flatMap(({ folder, kind }) => (kind === 'docs' ? [folder] : []))
  const direct = roots.flatMap((folder) => {
    const path = joinPath(folder, url)
    return path !== null && index.files.has(path) ? [path] : []
  })
  if (direct.length > 0) return direct
  return site.languageFallback ? findFallback(index, site, address) : []
}

/** Returns the main-language page that replaces a missing translation. */
function findFallback(index: SiteIndex, site: Site, address: string): readonly string[] {
  const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)?$/.exec(address) ?? []
  if (!site.languages.includes(first) && !site.content.some(({ language }) => language === first)) return []
  const pages = index.pages[index.sites.indexOf(site)]
  const main = site.content.flatMap(({ language, url, kind }) => (language === null && kind === 'docs' ? [url] : []))
  const hasLanguage = site.content.some(({ url }) => url !== '/' && (rest === url || rest.startsWith(`${url}/`)))
  for (const url of ['/', ...main]) {
    // A URL cannot contain two languages.
    if (url === '/' && hasLanguage) continue
    const found = pages?.get(toAddress(`${url}${rest}`))
    if (found !== undefined) return found
  }
  return []
}

function isOpaque(site: Site, url: string): boolean {
  if (/^\/(?:search|tags|authors|archive|rss|sitemap)\b/.test(url) || /\.(?:xml|txt|json|ya?ml)$/.test(url)) return true
  if (site.framework.generatedUrls?.test(`${url}/`)) return true
  return site.content.some(
    (content) =>
      content.kind === 'opaque' &&
      (url === content.url || url.startsWith(content.url === '/' ? '/' : `${content.url}/`)),
  )
}

function resolveRelative(index: SiteIndex, site: Site, page: string, path: string): LinkTarget {
  const files = findFiles(index, site, page, path)
  if (files.length > 0) return { ...NOTHING, verdict: 'yes', paths: files }
  const target = joinPath(toFolder(page), path)
  const plain = site.config === null || findContent(site, page) === null
  if (target !== null && index.folders.has(target)) return { ...NOTHING, verdict: plain ? 'yes' : 'unknown' }
  const addresses = toUrls(site, page, index.facts.get(page) ?? null)
  for (const address of addresses) {
    for (const folder of [toFolder(address.slice(1)), address.slice(1)]) {
      const url = joinPath(folder, path)
      if (url === null) continue
      const found = resolveUrl(index, site, `/${url}`)
      if (found.verdict === 'yes') return { ...found, kind: 'relative' }
      if (isOpaque(site, `/${url}`) && !PAGE.test(path)) return NOTHING
    }
  }
  if (target === null && plain) return NOTHING
  // A script builds the page and its target.
  if (plain && /\.html?$/i.test(path)) return NOTHING
  if (plain) return { ...NOTHING, verdict: 'no' }
  // Links to files are checked against the files. Links to URLs are checked only if URLs are known.
  const filed = PAGE.test(path) && !site.framework.addsPages
  if (site.addresses === 'unknown' && !filed) return NOTHING
  if (addresses.length === 0 && !PAGE.test(path) && !/\.[a-z0-9]{2,5}$/i.test(path)) return NOTHING
  return { ...NOTHING, verdict: 'no' }
}

/**
 * Returns the files that a relative path may refer to: the exact file, a page named without its
 * extension, or a folder's index page.
 */
function findFiles(index: SiteIndex, site: Site, page: string, path: string): string[] {
  const folder = toFolder(page)
  const direct = findFrom(index, folder, path)
  if (direct.length > 0 || !site.languageFallback) return direct
  const content = findContent(site, page)
  if (content === null || content.language === null) return []
  const inner = toInner(folder, content.folder)
  for (const main of site.content) {
    if (main.language !== null || main.kind !== 'docs') continue
    const found = findFrom(index, folder === content.folder ? main.folder : `${main.folder}/${inner}`, path)
    if (found.length > 0 && !isBelow(found[0] ?? '', content.folder)) return found
  }
  return []
}

function findFrom(index: SiteIndex, folder: string, path: string): string[] {
  const target = joinPath(folder, path.replace(/\.html?$/i, ''))
  const exact = joinPath(folder, path)
  if (target === null || exact === null) return []
  const inner = target === '' ? '' : `${target}/`
  const names = [exact]
  if (!PAGE.test(target)) {
    if (target !== '' && !path.endsWith('/')) names.push(`${target}.mdx`, `${target}.md`)
    names.push(`${inner}index.mdx`, `${inner}index.md`, `${inner}README.md`, `${inner}readme.md`)
    if (path.endsWith('/')) names.push(`${target}.mdx`, `${target}.md`)
  }
  return names.filter((name) => index.files.has(name))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
