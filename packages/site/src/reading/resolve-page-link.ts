import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isCopied } from '../links/is-copied.ts'
import { isGenerated } from '../links/is-generated.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import { UNRESOLVED } from '../links/unresolved.ts'
import type { PageLink } from '../pages/page-content.ts'
import { dropExtension, dropNumber, IMAGE, isBelow, joinPath, PAGE, toFolder, toInner } from '../pages/paths.ts'

/** Resolves a link, image, import or include of a page. */
export function resolvePageLink(index: SiteIndex, page: string, link: PageLink): LinkTarget {
  if (link.kind === 'include') return resolveInclude(index, page, link)
  if (link.kind === 'import') return resolveImport(index, page, link.href)
  const target = link.notation === undefined ? resolveLink(index, page, link.href) : resolveNotation(index, page, link)
  if (
    link.kind !== 'image' ||
    target.kind !== 'relative' ||
    target.verdict !== 'unknown' ||
    (link.notation !== undefined && target.doubt === 'elsewhere')
  )
    return target
  // In every framework, relative Markdown images are files next to the page, even if the site's
  // URLs are unknown.
  const plain = link.href.replace(/[?#].*$/s, '')
  const path = /^[\w\-./]+$/.test(plain) && IMAGE.test(plain) ? joinPath(toFolder(page), plain) : null
  const isOpen = path === null || isCopied(index, page) || index.files.has(path) || isGenerated(index, [path])
  return isOpen ? target : { ...target, verdict: 'no', doubt: null }
}

/** Resolves a file imported by MDX, relative to the page or to its site's root. */
function resolveImport(index: SiteIndex, page: string, href: string): LinkTarget {
  const site = findSite(index.sites, page)
  // Imports in other pages have no effect, or are relative to the page that includes them.
  const candidates = findContent(site, page) === null ? [] : toImportPaths(site, page, href)
  // An alias may stand for a folder whose files are generated.
  const isKnown = /^[./]|^@site\//.test(href) || candidates.some((path) => index.folders.has(toFolder(path)))
  const wanted = isKnown && !isGenerated(index, candidates) ? candidates : []
  const paths = wanted.filter((path) => index.files.has(path)).slice(0, 1)
  return {
    verdict: wanted.length === 0 ? 'unknown' : paths.length > 0 ? 'yes' : 'no',
    doubt: wanted.length === 0 ? 'link' : null,
    area: null,
    paths,
    anchor: null,
    redirect: null,
    kind: href.startsWith('/') ? 'absolute' : 'relative',
    isFolder: false,
  }
}

/** Resolves a link outside Markdown and tags, by the rules of the page's framework. */
function resolveNotation(index: SiteIndex, page: string, { notation, href }: PageLink): LinkTarget {
  const site = findSite(index.sites, page)
  if (notation === undefined || !site.framework.notations?.includes(notation) || findContent(site, page) === null)
    return NOTHING
  const target = resolveLink(index, page, href)
  if (target.kind === 'external') return target
  if (notation === 'document') return resolveFiles(index, toDocuments(index, site, href))
  const path = href.replace(/[?#].*$/s, '')
  if (notation === 'directive') {
    const folders = path.startsWith('/') ? site.content.map(({ folder }) => folder) : [toFolder(page)]
    // A pattern stands for images in several formats.
    return path.includes('*') ? NOTHING : resolveFiles(index, joinAll(folders, path))
  }
  if (notation !== 'figure' || target.verdict === 'yes') return target
  const found = joinAll([site.root, `${site.root}/assets`, ...site.publicFolders], path).filter((file) =>
    index.files.has(file),
  )
  return found.length > 0 ? resolveFiles(index, found) : target
}

const NOTHING: LinkTarget = { ...UNRESOLVED, doubt: 'elsewhere' }

function resolveFiles(index: SiteIndex, candidates: readonly string[]): LinkTarget {
  const paths = candidates.filter((path) => index.files.has(path))
  if (paths.length === 0 && isGenerated(index, candidates)) return UNRESOLVED
  return { ...NOTHING, doubt: null, verdict: paths.length > 0 ? 'yes' : 'no', paths }
}

function joinAll(folders: readonly string[], path: string): string[] {
  return folders.flatMap((folder) => joinPath(folder.replace(/^\/+/, ''), path) ?? [])
}

/** Returns the pages that may have an id, in any version and language. */
function toDocuments(index: SiteIndex, site: Site, id: string): string[] {
  const named = index.ids[index.sites.indexOf(site)]?.get(id) ?? []
  const folders = site.content.flatMap(({ kind, folder }) => (kind === 'docs' ? [folder] : []))
  const direct = joinAll(folders, id).flatMap((path) => [`${path}.md`, `${path}.mdx`])
  if (named.length > 0 || direct.some((path) => index.files.has(path))) return [...named, ...direct]
  const toName = (inner: string) => dropExtension(inner).split('/').map(dropNumber).join('/')
  return [...index.files].filter(
    (path) =>
      PAGE.test(path) && folders.some((folder) => isBelow(path, folder) && toName(toInner(path, folder)) === id),
  )
}

/** Resolves a file that a page includes, by the rules of the page's framework. */
export function resolveInclude(index: SiteIndex, page: string, { href, form }: PageLink): LinkTarget {
  const site = findSite(index.sites, page)
  // Other pages are not built, so notations have no effect in them.
  const isBuilt = form !== undefined && findContent(site, page) !== null
  const wanted = !isBuilt ? null : (site.framework.includes?.[form]?.(site, page, href) ?? null)
  const paths = (wanted ?? []).flatMap((path) => findFiles(index, path))
  const isOpen = wanted === null || wanted.length === 0 || (paths.length === 0 && isGenerated(index, wanted))
  const verdict = isOpen ? 'unknown' : paths.length > 0 ? 'yes' : 'no'
  const doubt = verdict === 'unknown' ? 'elsewhere' : null
  return { ...UNRESOLVED, verdict, doubt, paths }
}

/** Files that match a pattern, keyed by pattern, for each index. */
const MATCHES = new WeakMap<SiteIndex, Map<string, string[]>>()

function findFiles(index: SiteIndex, path: string): string[] {
  if (!path.startsWith('**/')) return index.files.has(path) ? [path] : []
  const known = MATCHES.get(index) ?? new Map<string, string[]>()
  MATCHES.set(index, known)
  const found = known.get(path) ?? matchFiles(index, path.slice(3))
  known.set(path, found)
  return found
}

function matchFiles({ files }: SiteIndex, name: string): string[] {
  const found: string[] = []
  for (const file of files) if (file === name || file.endsWith(`/${name}`)) found.push(file)
  return found
}

const FILE = /\.[a-z\d]{1,8}$/i
const ENDINGS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.json', '.mdx', '.md', '.vue', '.astro', '.svelte']

/**
 * Returns the files that an import may refer to. Bundlers add endings, and replace `.js` by `.ts`.
 * Returns an empty list for packages and unknown aliases.
 */
export function toImportPaths(site: Site, page: string, href: string): string[] {
  return toPlaces(site, page, href).flatMap((path) => (path === null ? [] : toFiles(path)))
}

function toPlaces({ root, aliases }: Site, page: string, href: string): (string | null)[] {
  if (href.startsWith('/')) return [joinPath(root, href)]
  if (href.startsWith('@site/')) return [joinPath(root, href.slice('@site/'.length))]
  if (/^\.{1,2}\//.test(href)) return [joinPath(toFolder(page), href)]
  const [alias] = aliases
    .filter(({ prefix }) => href.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
  return alias === undefined ? [] : alias.folders.map((folder) => joinPath(folder, href.slice(alias.prefix.length)))
}

function toFiles(path: string): string[] {
  const typed = /\.[cm]?jsx?$/.test(path)
    ? ['ts', 'tsx', 'mts'].map((ending) => path.slice(0, path.lastIndexOf('.') + 1) + ending)
    : []
  const named = [path, ...typed]
  // A name such as `Button.client` also lacks its ending.
  return [
    ...named,
    ...ENDINGS.map((ending) => path + ending),
    ...(FILE.test(path) ? [] : ENDINGS.map((ending) => `${path}/index${ending}`)),
  ]
}
