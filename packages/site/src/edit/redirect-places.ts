import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../config/literal.ts'
import type { Site } from '../frameworks/framework.ts'
import { toName } from '../pages/paths.ts'

/** One redirect of a file as it stands there. */
export interface RedirectPlace {
  /** The list or map it is an element of. */
  readonly list: Literal
  readonly index: number
  readonly source: string
  /** The text of the destination; a string literal. */
  readonly destination: Literal & { readonly kind: 'string' }
}

/** The list or map of redirects of a file; null when it has none that is written out. */
export function findRedirectList(site: Site, file: ConfigFile): Literal | null {
  if (toName(file.path) === 'vercel.json') return findProperty(file.literal, 'redirects')
  return site.framework.redirects?.findList(file) ?? null
}

/** Redirects of a list or map whose both ends are plain texts. */
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

/** What a redirect calls a page: its address, unless the framework has another name for it. Null when it has none. */
export function toRedirectName(site: Site, page: string, address: string): string | null {
  const toName = site.framework.redirects?.toName
  return toName === undefined ? address : toName(site, page)
}
