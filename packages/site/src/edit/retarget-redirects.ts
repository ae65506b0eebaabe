import type { ConfigFile } from '../config/config-files.ts'
import { toTextRange } from '../config/literal.ts'
import type { Site } from '../frameworks/framework.ts'
import { toAddress } from '../pages/paths.ts'
import type { Splice } from '../workspace/text-file.ts'
import { type RedirectWanted, toRedirectNames } from './add-redirect.ts'
import { removeElement } from './edit-list.ts'
import { quoteLike } from './quote-text.ts'
import { findRedirectList, toRedirectPlaces } from './redirect-places.ts'

/** Points redirects to the old URL at the new one. Preserves anchors and trailing slashes. */
export function retargetRedirects(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] {
  const names = toRedirectNames(site, file, wanted)
  if (names === null) return []
  const { source: old, destination: now } = names
  return toRedirectPlaces(findRedirectList(site, file)).flatMap(({ destination }) => {
    const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(destination.value) ?? []
    if (toAddress(path) !== toAddress(old) || /^[a-z]+:/i.test(path)) return []
    const slash = path.length > 1 && path.endsWith('/') && now !== '/' ? '/' : ''
    const { start, end } = toTextRange(file.text, destination)
    const { replacement } = quoteLike(file.path, file.text, start, `${now}${slash}${suffix}`)
    return [{ start, end, replacement }]
  })
}

/**
 * Removes a redirect whose source is the page's new URL, because it would hide the page or create a
 * loop. Returns an empty list if no such redirect exists.
 */
export function removeShadow(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] {
  const names = toRedirectNames(site, file, wanted)
  const place = toRedirectPlaces(findRedirectList(site, file)).find(
    ({ source }) => names !== null && toAddress(source) === toAddress(names.destination),
  )
  return place === undefined ? [] : (removeElement(file.text, place.list, place.index) ?? [])
}
