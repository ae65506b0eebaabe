import type { ConfigString } from '../config/config-string.ts'
import type { Site } from '../frameworks/framework.ts'
import { resolveUrl } from '../links/resolve-url.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { decodePath, joinPath, toAddress, toFolder } from '../pages/paths.ts'

/** The file that a text in a site's configuration names. */
export interface StringTarget {
  /** The file. */
  readonly path: string
  /** `address`: with or without a leading slash. `file`: the file's path, relative to `folder`. */
  readonly kind: 'address' | 'file'
  /** True if the text is the value of a key such as `link`. */
  readonly isLink: boolean
  /** The folder that a file's path starts at. */
  readonly folder: string
}

/** Keys of links. */
const LINK = /^(?:action|aliasOf|cta|destination|doc|href|link|page|slug|target|to|url)$/i
/** Keys of texts for readers, of patterns, and of prefixes of addresses. */
const OTHER =
  /^(?:active\w*|alt|base\w*|content|description|from|label|match|name|pattern|placeholder|prefix|route\w*|source|tagline|text|title)$/i
/** Texts that can be replaced in any quotes without escapes. */
const PLAIN = /^[\p{L}\p{N}\-._~/@+%]+(?:[?#][\p{L}\p{N}\-._~/@+%=&?#]*)?$/u

/**
 * Finds the file that a text in a site's configuration names: by its address, if the text starts
 * with a slash or is the value of a key such as `link`, or by its path. The address of a page that
 * has other pages below it counts only after such a key, because it may also be a prefix. Returns
 * null for any other text.
 */
export function findStringTarget(
  index: SiteIndex,
  site: Site,
  file: string,
  { value, key }: ConfigString,
): StringTarget | null {
  if (value.length > MAX_CHARS || !PLAIN.test(value) || value.startsWith('//') || (key !== null && OTHER.test(key)))
    return null
  const isLink = key !== null && LINK.test(key)
  const [written = ''] = value.split(/[?#]/, 1)
  const url = decodePath(written)
  if (/\.[a-z\d]+$/i.test(url) && !url.startsWith('/')) return findFile(index, site, file, url, isLink)
  if (toAddress(url) === '/' || !(url.startsWith('/') || (isLink && /[^.]\//.test(url) && !url.startsWith('.'))))
    return null
  const address = url.startsWith('/') ? url : `/${url}`
  const isPrefix = index.urlFolders[index.sites.indexOf(site)]?.has(toAddress(toInner(site, address)).slice(1)) === true
  if (isPrefix && !isLink) return null
  const [path] = resolveUrl(index, site, address).paths
  return path === undefined ? null : { path, kind: 'address', isLink, folder: '' }
}

const MAX_CHARS = 1_000

function findFile(index: SiteIndex, site: Site, file: string, path: string, isLink: boolean): StringTarget | null {
  const content = site.content.map(({ folder }) => folder)
  for (const folder of new Set([toFolder(file), site.root, ...content, ...site.publicFolders, ''])) {
    const found = joinPath(folder, path)
    if (found !== null && index.files.has(found)) return { path: found, kind: 'file', isLink, folder }
  }
  return null
}

const toInner = ({ base }: Site, url: string) =>
  base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url
