import type { ConfigFile } from '../config/config-files.ts'
import { toTextRange } from '../config/literal.ts'
import type { Site } from '../frameworks/framework.ts'
import { toAddress } from '../pages/paths.ts'
import type { Splice } from '../workspace/text-file.ts'
import { removeElement } from './edit-list.ts'
import { quoteLike } from './quote-text.ts'
import {
  findRedirectList,
  isHostFile,
  type RedirectWanted,
  toFrameworkNames,
  toNewDestination,
  toRedirectPlaces,
} from './redirect-places.ts'

/**
 * Points redirects to the old page at the new one. Preserves anchors and trailing slashes.
 * @param targets receives the new destinations, keyed by the old ones
 */
export function retargetRedirects(
  site: Site,
  file: ConfigFile,
  wanted: RedirectWanted,
  targets: Map<string, string>,
): Splice[] {
  return toRedirectPlaces(findRedirectList(site, file)).flatMap(({ source, destination }) => {
    const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(destination.value) ?? []
    const now = toNewDestination(site, file, { source, path }, wanted)
    if (now === null || now === path) return []
    targets.set(destination.value, `${now}${suffix}`)
    const { start, end } = toTextRange(file.text, destination)
    return [{ start, end, replacement: quoteLike(file.path, file.text, start, `${now}${suffix}`).replacement }]
  })
}

/**
 * Removes a redirect whose source is the page's new URL, because it would hide the page or create a
 * loop. Returns an empty list if no such redirect exists.
 */
export function removeShadow(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] {
  const isPath = site.framework.redirectNames === 'path' && !isHostFile(file)
  const name = isPath ? toFrameworkNames(site, wanted)?.destination : wanted.destination
  const place = toRedirectPlaces(findRedirectList(site, file)).find(
    ({ source }) => name !== undefined && toAddress(source) === toAddress(name),
  )
  return place === undefined ? [] : (removeElement(file.text, place.list, place.index) ?? [])
}
