import { findProperty, type Literal, toItems } from '../script/literal.ts'
import type { ConfigFile } from '../site/config-files.ts'
import { isBelow, toInner, toName } from '../site/paths.ts'
import type { Site } from '../site/site.ts'

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
  switch (site.framework) {
    case 'mintlify':
      return file.literal?.kind === 'array' ? file.literal : findProperty(file.literal, 'redirects')
    case 'mkdocs':
      return findRedirectMap(file)
    case 'docusaurus':
      return search(file, (literal) => literal.kind === 'array' && findProperty(literal.items[0], 'from') !== null)
    case 'starlight':
      return search(file, (literal) => literal.kind === 'object' && literal.properties[0]?.key.startsWith('/') === true)
    default:
      return null
  }
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

/** What a redirect calls a page: its address, or for MkDocs its path. */
export function toRedirectName(site: Site, page: string, address: string): string | null {
  if (site.framework !== 'mkdocs') return address
  const docs = site.content[0]?.folder ?? ''
  return isBelow(page, docs) ? toInner(page, docs) : null
}

function findRedirectMap(file: ConfigFile): Literal | null {
  const plugins = findProperty(file.literal, 'plugins')
  const direct = findProperty(plugins, 'redirects', 'redirect_maps')
  if (direct !== null) return direct
  for (const item of toItems(plugins)) {
    const map = findProperty(item, 'redirects', 'redirect_maps')
    if (map !== null) return map
  }
  return null
}

function search(file: ConfigFile, test: (literal: Literal) => boolean): Literal | null {
  const open: Literal[] = [...(file.literal === null ? [] : [file.literal]), ...(file.module?.constants.values() ?? [])]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at.kind === 'object') {
      const redirects = findProperty(at, 'redirects')
      if (redirects !== null && test(redirects)) return redirects
      open.push(...at.properties.map(({ value }) => value))
    } else if (at.kind === 'array') open.push(...at.items)
    else if (at.kind === 'call') open.push(...at.args)
  }
  return null
}
