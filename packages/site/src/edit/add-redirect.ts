import type { ConfigFile } from '../config/config-files.ts'
import { toTextRange } from '../config/literal.ts'
import type { RedirectNames, Site } from '../frameworks/framework.ts'
import { toAddress, toName } from '../pages/paths.ts'
import type { Splice } from '../workspace/text-file.ts'
import { addToList } from './add-to-redirects.ts'
import { quoteLike } from './quote-text.ts'
import {
  findRedirectList,
  isHostFile,
  type RedirectWanted,
  toFrameworkNames,
  toRedirectPlaces,
} from './redirect-places.ts'

/**
 * Adds a redirect to one of the site's redirect files. If the file already has a redirect from the
 * same URL, changes its destination instead. Returns null if neither is possible.
 */
export function addRedirect(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] | null {
  if (toName(file.path) === '_redirects') return addLine(file, wanted)
  const names = toRedirectNames(site, file, wanted)
  if (names === null) return null
  const { source, destination } = names
  const list = findRedirectList(site, file)
  const known = toRedirectPlaces(list).find((place) => toAddress(place.source) === toAddress(source))
  if (known !== undefined) {
    const { start, end } = toTextRange(file.text, known.destination)
    return [{ start, end, replacement: quoteLike(file.path, file.text, start, destination).replacement }]
  }
  if (isHostFile(file)) return addToList(file, list, wanted, ['source', 'destination'])
  return site.framework.redirects?.add(file, names) ?? null
}

/**
 * Returns the names of both pages in a redirect file: URLs, unless the framework uses different
 * names. Returns null if a redirect in this file cannot name one of the pages.
 */
export function toRedirectNames(site: Site, file: ConfigFile, wanted: RedirectWanted): RedirectNames | null {
  if (isHostFile(file)) return { source: wanted.source, destination: wanted.destination }
  return toFrameworkNames(site, wanted)
}

function addLine(file: ConfigFile, { source, destination }: RedirectWanted): Splice[] {
  const { text } = file
  const known = [...text.matchAll(/^([^\s#]\S*)([ \t]+)(\S+)/gm)].find(([, from = '']) => toAddress(from) === source)
  if (known !== undefined) {
    const [all, , , to = ''] = known
    const end = known.index + all.length
    return [{ start: end - to.length, end, replacement: destination }]
  }
  const line = `${source}  ${destination}  301`
  const end = text.length
  return [{ start: end, end, replacement: text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}` }]
}
