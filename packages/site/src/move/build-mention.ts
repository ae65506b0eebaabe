import { findSite } from '../frameworks/find-site.ts'
import { type Reference, resolvePageLink } from '../links/resolve-page-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { decodePath, dropExtension, toFolder, toName } from '../pages/paths.ts'
import type { PageScan } from '../pages/scan-page.ts'

/** Returns true if a page with these links may link to one of the files. */
type Mention = (page: string, scan: PageScan) => boolean

/** Files, and the index in which links to them are resolved. */
interface Lookup {
  readonly index: SiteIndex
  readonly paths: Iterable<string>
}

/**
 * Builds a function that finds the pages that may link to one of the files, so that other pages do
 * not have to be parsed. Compares the last path segment of every link destination with the names of
 * the files, and resolves the destination only if they match. Returns true for every page with a
 * link that resolves to one of the files, and for pages with such a link in code.
 */
export function buildMention(...lookups: readonly Lookup[]): Mention {
  const searches = lookups.map(({ index, paths }) => {
    const wanted = new Set(paths)
    return { index, wanted, names: new Set([...wanted].flatMap((path) => toNames(index, path))) }
  })
  return (page, { shown, hidden }) => {
    const tested = new Set<string>()
    const leadsThere = (link: Reference): boolean => {
      const { kind, notation, href } = link
      const key = `${notation ?? kind} ${href}`
      if (tested.has(key)) return false
      tested.add(key)
      const name = toLastSegment(href)
      const stem = dropEnding(name)
      // A destination without a name, such as `./` or `../..`, refers to a folder.
      const isFolder = /^\.{0,2}$/.test(name)
      return searches.some(
        ({ index, wanted, names }) =>
          (isFolder || names.has(name) || names.has(stem)) &&
          resolvePageLink(index, page, link).paths.some((path) => wanted.has(path)),
      )
    }
    return shown.some(leadsThere) || hidden.some(leadsThere)
  }
}

const dropEnding = (name: string) => dropExtension(name.replace(/\.html?$/i, ''))

/** Returns the last path segments of the destinations that may resolve to a file. */
function toNames(index: SiteIndex, path: string): string[] {
  const site = findSite(index.sites, path)
  const urls = toUrls(site, path, index.facts.get(path) ?? null)
  const name = toName(path)
  const { id = null, labels = [] } = index.facts.get(path) ?? {}
  const names = [name, dropEnding(name), name.replace(/\.[^.]+$/, ''), ...urls.map(toName), id ?? '', ...labels]
  if (/^(?:index|readme)\.[a-z]+$/i.test(name)) names.push(toName(toFolder(path)))
  // A link to the start page of a site or language may end with the site's base or the language.
  if (urls.some((url) => url === '/' || site.content.some((content) => content.url === url))) {
    const folders = site.content.flatMap(({ language, url }) => [language ?? '', toName(url)])
    names.push(toName(site.base), ...site.languages, ...folders)
  }
  return names.filter((one) => one !== '')
}

/** Returns the last path segment, decoded and without trailing slashes. */
function toLastSegment(href: string): string {
  const path = decodePath(/^[^?#]*/.exec(href)?.[0] ?? '')
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}
