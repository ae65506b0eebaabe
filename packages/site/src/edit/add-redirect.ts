import type { Splice } from '@corrigenda/git/workspace'
import type { ConfigFile } from '../config/config-files.ts'
import type { Site } from '../frameworks/framework.ts'
import { toName } from '../pages/paths.ts'
import { addToList } from './add-to-redirects.ts'
import { findRedirectList, toRedirectName } from './redirect-places.ts'

export interface RedirectWanted {
  /** Old and new URL of the page, as returned by `toUrls`. */
  readonly source: string
  readonly destination: string
  /** Old and new path of the page's file. */
  readonly page: string
  readonly newPage: string
}

/**
 * Adds a redirect to one of the site's redirect files. Returns null if it cannot be added to
 * the file.
 */
export function addRedirect(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] | null {
  const name = toName(file.path)
  if (name === '_redirects') return addLine(file, `${wanted.source}  ${wanted.destination}  301`)
  if (name === 'vercel.json') return addToList(file, findRedirectList(site, file), wanted, ['source', 'destination'])
  const source = toRedirectName(site, wanted.page, wanted.source)
  const destination = toRedirectName(site, wanted.newPage, wanted.destination)
  if (source === null || destination === null) return null
  return site.framework.redirects?.add(file, { source, destination }) ?? null
}

function addLine(file: ConfigFile, line: string): Splice[] {
  const { text } = file
  const end = text.length
  return [{ start: end, end, replacement: text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}` }]
}
