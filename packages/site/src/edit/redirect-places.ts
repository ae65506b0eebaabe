import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../config/literal.ts'
import type { RedirectNames, Site } from '../frameworks/framework.ts'
import { dropExtension, isBelow, joinPath, toAddress, toFolder, toInner, toName, toRelative } from '../pages/paths.ts'

/** One redirect and its position in a file. */
interface RedirectPlace {
  /** The list or map that contains it. */
  readonly list: Literal
  readonly index: number
  readonly source: string
  /** The destination, as a string literal. */
  readonly destination: Literal & { readonly kind: 'string' }
}

export const isHostFile = ({ path }: ConfigFile): boolean =>
  /^(?:vercel\.json|_redirects|netlify\.toml)$/.test(toName(path))

/** Finds the list or map of redirects in a file. Returns null if it is absent or not static. */
export function findRedirectList(site: Site, file: ConfigFile): Literal | null {
  // The editing functions do not write this format.
  if (toName(file.path) === 'netlify.toml') return null
  if (toName(file.path) === 'vercel.json') return findProperty(file.literal, 'redirects')
  return site.framework.redirects?.findList(file) ?? null
}

/** Returns the redirects in a list or map whose source and destination are plain strings. */
export function toRedirectPlaces(list: Literal | null): RedirectPlace[] {
  if (list?.kind === 'object') {
    return list.properties.flatMap(({ key, value }, index) =>
      value.kind === 'string' ? [{ list, index, source: key, destination: value }] : [],
    )
  }
  return toItems(list).flatMap((item, index) => {
    const source = findProperty(item, 'source') ?? findProperty(item, 'from')
    const destination = findProperty(item, 'destination') ?? findProperty(item, 'to')
    if (list === null || source?.kind !== 'string' || destination?.kind !== 'string') return []
    return [{ list, index, source: source.value, destination }]
  })
}

/** Old and new path and URL of a page. */
export interface RedirectWanted {
  /** As returned by `toUrls`. */
  readonly source: string
  readonly destination: string
  readonly page: string
  readonly newPage: string
}

/**
 * Returns the names of both pages in a redirect of the framework's configuration. Returns null if a
 * redirect cannot name one of the pages.
 */
export function toFrameworkNames(
  site: Site,
  { source, destination, page, newPage }: RedirectWanted,
): RedirectNames | null {
  const { redirectNames } = site.framework
  if (redirectNames === undefined) return { source, destination }
  const [from, to] = [toInnerPath(site, page), toInnerPath(site, newPage)]
  if (from === null || to === null) return null
  if (redirectNames === 'path') return { source: from, destination: to }
  return { source: `/${toHtml(from)}`, destination: toRelative(toFolder(toHtml(from)), toHtml(to)) }
}

/** Returns the new destination of a redirect that leads to the old page. Returns null for others. */
export function toNewDestination(
  site: Site,
  file: ConfigFile,
  { source, path }: { readonly source: string; readonly path: string },
  wanted: RedirectWanted,
): string | null {
  const redirectNames = isHostFile(file) ? undefined : site.framework.redirectNames
  const [from, to] = [toInnerPath(site, wanted.page), toInnerPath(site, wanted.newPage)]
  if (redirectNames === 'path' && to !== null && joinPath('', path) === from)
    return `${/^\.\//.exec(path)?.[0] ?? ''}${to}`
  if (redirectNames === 'relative' && from !== null && to !== null) {
    const folder = toFolder(source.replace(/^\/+/, ''))
    if (joinPath(path.startsWith('/') ? '' : folder, path) !== toHtml(from)) return null
    return path.startsWith('/') ? `/${toHtml(to)}` : toRelative(folder, toHtml(to))
  }
  if (redirectNames !== undefined || toAddress(path) !== toAddress(wanted.source) || /^[a-z]+:/i.test(path)) return null
  return `${wanted.destination}${path.length > 1 && path.endsWith('/') && wanted.destination !== '/' ? '/' : ''}`
}

/** Returns the path of a page in the main content folder. */
function toInnerPath(site: Site, page: string): string | null {
  const folder = site.content[0]?.folder ?? ''
  return isBelow(page, folder) ? toInner(page, folder) : null
}

/** Returns the path of the page's HTML file. */
const toHtml = (inner: string): string => `${dropExtension(inner).replace(/(^|\/)readme$/i, '$1index')}.html`
