import type { Splice } from '@corrigenda/git/workspace'
import type { ConfigFile } from '../config/config-files.ts'
import { toTextRange } from '../config/literal.ts'
import type { Site } from '../frameworks/framework.ts'
import { toAddress } from '../pages/paths.ts'
import type { RedirectWanted } from './add-redirect.ts'
import { removeElement } from './edit-list.ts'
import { quoteLike } from './quote-text.ts'
import { findRedirectList, toRedirectName, toRedirectPlaces } from './redirect-places.ts'

/** Changes redirects from the old URL to the new one. Keeps their anchor and trailing slash. */
export function retargetRedirects(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] {
  const names = toNames(site, wanted)
  if (names === null) return []
  return toRedirectPlaces(findRedirectList(site, file)).flatMap(({ destination }) => {
    const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(destination.value) ?? []
    if (toAddress(path) !== toAddress(names.old) || /^[a-z]+:/i.test(path)) return []
    const slash = path.length > 1 && path.endsWith('/') && names.now !== '/' ? '/' : ''
    const { start, end } = toTextRange(file.text, destination)
    const { replacement } = quoteLike(file.path, file.text, start, `${names.now}${slash}${suffix}`)
    return [{ start, end, replacement }]
  })
}

/**
 * Removes a redirect whose source is the page's new URL, because it would hide the page or
 * create a loop. Returns an empty list if there is none.
 */
export function removeShadow(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] {
  const names = toNames(site, wanted)
  const place = toRedirectPlaces(findRedirectList(site, file)).find(
    ({ source }) => names !== null && toAddress(source) === toAddress(names.now),
  )
  return place === undefined ? [] : (removeElement(file.text, place.list, place.index) ?? [])
}

function toNames(site: Site, wanted: RedirectWanted): { old: string; now: string } | null {
  const old = toRedirectName(site, wanted.page, wanted.source)
  const now = toRedirectName(site, wanted.newPage, wanted.destination)
  return old === null || now === null ? null : { old, now }
}
