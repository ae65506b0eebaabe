import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../config/literal.ts'
import type { Site } from '../frameworks/framework.ts'
import { toName } from '../pages/paths.ts'

/** One redirect and its position in a file. */
interface RedirectPlace {
  /** The list or map that contains it. */
  readonly list: Literal
  readonly index: number
  readonly source: string
  /** The destination, as a string literal. */
  readonly destination: Literal & { readonly kind: 'string' }
}

/** Finds the list or map of redirects in a file. Returns null if it is absent or not static. */
export function findRedirectList(site: Site, file: ConfigFile): Literal | null {
  // The editing functions do not write TOML.
  if (file.path.endsWith('.toml')) return null
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

/**
 * Returns the name that redirects use for a page: its URL, unless the framework uses a different
 * name. Returns null if redirects cannot name the page.
 */
export function toRedirectName(site: Site, page: string, address: string): string | null {
  const toName = site.framework.redirects?.toName
  return toName === undefined ? address : toName(site, page)
}
