import { findContent, findSite } from '../frameworks/find-site.ts'
import { dropExtension, joinPath, PAGE, toFolder, toName } from '../pages/paths.ts'
import { isGenerated } from './is-generated.ts'
import { isOpaque } from './is-opaque.ts'
import type { LinkTarget, SiteIndex } from './site-index.ts'

const ENDINGS = ['', '.md', '.mdx', '.rst', '/_index.md', '/index.md']
/** Pages keyed by name, for references that do not contain a path. */
const NAMES = new WeakMap<SiteIndex, ReadonlyMap<string, readonly string[]>>()

/**
 * Resolves the name of a page in a reference: a path relative to the page's folder or, with or
 * without a leading slash, to a content folder of the site. Also accepts the last part of a path.
 */
export function resolveReference(
  index: SiteIndex,
  page: string,
  name: string,
): Pick<LinkTarget, 'verdict' | 'doubt' | 'paths' | 'anchor'> {
  const [path = '', hash] = name.split('#', 2)
  const anchor = hash ?? null
  if (path === '') return { verdict: 'yes', doubt: null, paths: [page], anchor }
  const site = findSite(index.sites, page)
  if (findContent(site, page) === null) return { verdict: 'unknown', doubt: 'link', paths: [], anchor }
  const folders = [...(path.startsWith('/') ? [] : [toFolder(page)]), ...site.content.map(({ folder }) => folder)]
  const plain = PAGE.test(path) ? [path, dropExtension(path)] : [path]
  const named = folders.flatMap((folder) =>
    plain.flatMap((one) => ENDINGS.map((ending) => joinPath(folder, `${one}${ending}`) ?? '')),
  )
  const found = [...new Set(named)].filter((file) => index.files.has(file))
  const paths =
    found.length > 0
      ? found
      : findByName(index, dropExtension(path).replace(/(?<!\/)\/+$/, ''), folders, site.resolvesNames === true)
  if (paths.length > 0) return { verdict: 'yes', doubt: null, paths, anchor }
  // Hugo generates lists of pages for folders and taxonomies.
  const isList = folders.some((folder) => index.folders.has(joinPath(folder, path) ?? ''))
  if (isList || isOpaque(site, path) || isGenerated(index, named))
    return { verdict: 'unknown', doubt: 'link', paths: [], anchor }
  const isUnknown = site.addresses === 'unknown'
  return { verdict: isUnknown ? 'unknown' : 'no', doubt: isUnknown ? 'site' : null, paths, anchor }
}

function findByName(index: SiteIndex, path: string, folders: readonly string[], ignoresCase: boolean): string[] {
  let names = NAMES.get(index)
  if (names === undefined) {
    const found = new Map<string, string[]>()
    for (const file of index.files) {
      if (!PAGE.test(file)) continue
      const name = toLast(dropExtension(file).replace(/\/_?index$/, '')).toLowerCase()
      found.set(name, [...(found.get(name) ?? []), file])
    }
    names = found
    NAMES.set(index, names)
  }
  const wanted = path.replace(/^\/+/, '')
  const toCase = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  const last = toCase(wanted)
  return (names.get(toLast(wanted).toLowerCase()) ?? []).filter((file) => {
    const route = dropExtension(file).replace(/\/_?index$/, '')
    const own = toCase(route)
    return folders.some((folder) => file.startsWith(`${folder}/`)) && (own === last || own.endsWith(`/${last}`))
  })
}

const toLast = (path: string): string => toName(path).replace(/\.[a-z]{2}(?:-[a-z]{2})?$/i, '')
