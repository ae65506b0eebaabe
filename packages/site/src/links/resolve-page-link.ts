import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { toLabel } from '../pages/find-labels.ts'
import type { Notation } from '../pages/notation.ts'
import type { PageLink } from '../pages/page-content.ts'
import { dropExtension, dropNumber, IMAGE, isBelow, joinPath, PAGE, toFolder, toInner } from '../pages/paths.ts'
import { isCopied } from './is-copied.ts'
import { isGenerated, toNameArea } from './is-generated.ts'
import { resolveLink } from './resolve-link.ts'
import { resolveReference } from './resolve-reference.ts'
import type { LinkTarget, SiteIndex } from './site-index.ts'
import { UNRESOLVED } from './unresolved.ts'

/** A reference of a page, as its framework writes it. */
export type Reference = Pick<PageLink, 'kind' | 'notation' | 'href'>

/** Resolves a reference of a page. */
export function resolvePageLink(index: SiteIndex, page: string, link: Reference): LinkTarget {
  if (link.notation !== undefined) return resolveNotation(index, page, link.notation, link.href)
  if (link.kind === 'import') return resolveImport(index, page, link.href)
  const target = resolveLink(index, page, link.href)
  if (link.kind !== 'image' || target.kind !== 'relative' || target.verdict !== 'unknown') return target
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

const NOTHING: LinkTarget = { ...UNRESOLVED, doubt: 'elsewhere' }
const EXTERNAL = /^[a-z][a-z0-9+.-]*:|^\/\//i

/** Resolves a reference in a notation by the table of the page's framework. */
function resolveNotation(index: SiteIndex, page: string, notation: Notation, href: string): LinkTarget {
  const site = findSite(index.sites, page)
  // Other pages are not built, so notations have no effect in them.
  const rule = findContent(site, page) === null ? undefined : site.framework.notations?.[notation]
  if (rule === undefined) return NOTHING
  if (EXTERNAL.test(href)) return { ...UNRESOLVED, kind: 'external' }
  if (rule === 'label') return resolveLabel(index, site, href)
  if (rule === 'name') return { ...UNRESOLVED, ...resolveReference(index, page, href) }
  if (rule === 'id') return toTarget(index, toDocuments(index, site, href))
  const path = href.replace(/[?#].*$/s, '')
  if (rule !== 'link') return path.includes('*') ? NOTHING : toTarget(index, rule(site, page, path))
  const target = resolveLink(index, page, href)
  if (notation !== 'figure' || target.verdict === 'yes') return target
  const found = toTarget(index, joinAll([site.root, `${site.root}/assets`, ...site.publicFolders], path))
  return found.verdict === 'yes' ? found : target
}

/** @param wanted paths of files, as in `ToPaths` */
function toTarget(index: SiteIndex, wanted: readonly string[] | null): LinkTarget {
  const paths = (wanted ?? []).flatMap((path) => findFiles(index, path))
  if (paths.length > 0) return { ...UNRESOLVED, verdict: 'yes', doubt: null, paths }
  const isOpen =
    wanted === null ||
    wanted.length === 0 ||
    isGenerated(
      index,
      wanted.map((path) => path.replace('**/', '')),
    )
  return isOpen ? NOTHING : { ...UNRESOLVED, verdict: 'no', doubt: null }
}

/** Labels that Sphinx defines. */
const STANDARD_LABEL = /^(?:genindex|modindex|search)$/

function resolveLabel(index: SiteIndex, site: Site, href: string): LinkTarget {
  const paths = index.labels[index.sites.indexOf(site)]?.get(toLabel(href)) ?? []
  if (paths.length > 0) return { ...UNRESOLVED, verdict: 'yes', doubt: null, paths }
  return STANDARD_LABEL.test(href) ? NOTHING : { ...UNRESOLVED, doubt: 'site', area: toNameArea(href) }
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
  const isNamed = (path: string) =>
    PAGE.test(path) && folders.some((folder) => isBelow(path, folder) && toName(toInner(path, folder)) === id)
  const found = [...index.files].filter(isNamed)
  return found.length > 0 ? found : direct
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
