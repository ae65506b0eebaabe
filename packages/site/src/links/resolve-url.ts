import type { Site } from '../frameworks/framework.ts'
import { IMAGE, isBelow, joinPath, PAGE, toAddress, toInner } from '../pages/paths.ts'
import { findPatternRedirect, findPlainRedirect } from './find-redirect.ts'
import { isGenerated, toPagePaths } from './is-generated.ts'
import { isOpaque } from './is-opaque.ts'
import type { LinkTarget, SiteIndex } from './site-index.ts'
import { UNRESOLVED } from './unresolved.ts'

const NOTHING: LinkTarget = { ...UNRESOLVED, kind: 'absolute' }
/** Maximum number of patterns that are applied to one URL, one after the other. */
const MAX_HOPS = 5

/** Matches destinations that the files of the site determine, unlike functions and built files. */
const PAGE_URL = /^\/(?![/.]).*(?<!\.html)$/s

/** Resolves a site URL (decoded, with a leading slash, without `#` and `?`). */
export function resolveUrl(index: SiteIndex, site: Site, url: string, hops = 0): LinkTarget {
  const forms = toForms(site, url)
  for (const path of forms) {
    const paths = findByUrl(index, site, path)
    if (paths.length > 0) return { ...NOTHING, verdict: 'yes', doubt: null, paths }
  }
  for (const path of forms) {
    const redirect = findPlainRedirect(index, site, path)
    if (redirect !== null) return { ...NOTHING, verdict: 'yes', doubt: null, redirect }
  }
  const folders = index.urlFolders[index.sites.indexOf(site)]
  if (site.framework.servesFolders && forms.some((path) => folders?.has(toAddress(path).slice(1))))
    return { ...NOTHING, verdict: 'yes', doubt: null, isFolder: true }
  for (const path of forms) {
    const found = findPatternRedirect(index, site, path)
    if (found === null) continue
    const { redirect, destination } = found
    if (destination === null || !PAGE_URL.test(destination) || hops === MAX_HOPS || destination === path)
      return { ...NOTHING, doubt: 'elsewhere' }
    const target = resolveUrl(index, site, destination.replace(/[?#].*$/s, ''), hops + 1)
    return target.verdict === 'yes' ? { ...target, paths: [], redirect } : target
  }
  const isElsewhere = index.sites.some(
    (other) => other !== site && other.config !== null && findByUrl(index, other, url).length > 0,
  )
  if (isElsewhere) return { ...NOTHING, doubt: 'elsewhere' }
  if (forms.some((path) => isGenerated(index, toFiles(site, path)))) return NOTHING
  const { checksAbsoluteLinks } = site.framework
  // Images are served from the public folders, even if the URLs of pages are unknown.
  if (checksAbsoluteLinks !== false && site.publicFolders.length > 0 && IMAGE.test(url)) return BROKEN
  if (forms.some((path) => isOpaque(site, path))) return { ...NOTHING, doubt: 'route' }
  const area = findArea(folders ?? new Set(), toAddress(forms[0] ?? url))
  // Sites of these frameworks may be served below another path than the configuration contains.
  if (checksAbsoluteLinks !== true)
    return site.config !== null && site.publicFolders.length > 0 && IMAGE.test(url)
      ? { ...NOTHING, doubt: 'site', area }
      : NOTHING
  const [, first = '', rest = ''] = /^(\/[^/]+)(\/.+)$/.exec(url) ?? []
  if (site.framework.isServedAnywhere && !folders?.has(first.slice(1)) && findByUrl(index, site, rest).length > 0)
    return { ...NOTHING, doubt: 'site', area: first }
  if (site.addresses === 'unknown' || !site.redirects.complete) {
    return { ...NOTHING, doubt: 'site', area }
  }
  return BROKEN
}

/** Returns the outermost folder of a URL that is not in `folders`, or null. */
function findArea(folders: ReadonlySet<string>, address: string): string | null {
  for (let slash = address.indexOf('/', 1); slash !== -1; slash = address.indexOf('/', slash + 1)) {
    const folder = address.slice(1, slash)
    if (!folders.has(folder)) return `/${folder}`
  }
  return null
}

const BROKEN: LinkTarget = { ...NOTHING, verdict: 'no', doubt: null }

/** Returns the files that may be at a URL, in a site whose URLs are paths. */
export function toFiles(site: Site, url: string): string[] {
  const inner = toAddress(url).slice(1)
  const pages = site.content.flatMap((content) => {
    const prefix = content.url.slice(1)
    const path = isBelow(inner, prefix) ? joinPath(content.folder, toInner(inner, prefix)) : null
    return path === null ? [] : toPagePaths(path)
  })
  return [...pages, ...site.publicFolders.flatMap((folder) => joinPath(folder, inner) ?? [])]
}

/**
 * Returns the URL's forms: without the site's base (if it starts with the base), and as written.
 */
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
  // Docusaurus also accepts paths of page files from its root.
  if (site.framework.acceptsRootPaths && PAGE.test(url)) roots.push(site.root)
  const direct = roots.flatMap((folder) => {
    const path = joinPath(folder, url)
    const names = path === null ? [] : site.framework.sharesAnchors ? toPagePaths(path) : [path]
    return names.filter((name) => index.files.has(name))
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
