import { addRedirect, toRedirectNames } from '../edit/add-redirect.ts'
import type { RedirectWanted } from '../edit/redirect-places.ts'
import { removeShadow, retargetRedirects } from '../edit/retarget-redirects.ts'
import { findContent, findSite } from '../frameworks/find-site.ts'
import type { RedirectNames, Site } from '../frameworks/framework.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE, toAddress } from '../pages/paths.ts'
import type { MoveInput } from './move-input.ts'

export interface AddedRedirect {
  readonly file: string
  /** Old and new URL. */
  readonly source: string
  readonly destination: string
  /** As written in the file. */
  readonly names: RedirectNames
  /** The page's new path. */
  readonly page: string
}

/**
 * Adds redirects from the old URLs of moved pages, in the files where the sites define redirects.
 * Redirects that could not be added are appended to `left`. New destinations of existing redirects
 * are added to `targets`, keyed by the old ones.
 */
export async function writeRedirects(
  input: MoveInput,
  left: string[],
  targets: Map<string, string>,
): Promise<AddedRedirect[]> {
  const { repository, after, moves } = input
  const added: AddedRedirect[] = []
  for (const [page, newPage] of moves) {
    if (!PAGE.test(page)) continue
    const site = findSite(repository.sites, page)
    const home = findSite(after.sites, newPage)
    if (site.config === null || findContent(site, page)?.kind !== 'docs') continue
    const [source] = toUrls(site, page, repository.index.facts.get(page) ?? null)
    const [destination] = toUrls(home, newPage, after.facts.get(newPage) ?? null)
    if (home !== site) continue
    const places = site.redirects.files
    // A redirect names the file of a page, even if its URL stays the same.
    if (source !== undefined && source === destination && site.framework.redirectNames === 'path')
      await updateRedirects(input, site, { source, destination, page, newPage }, input.explain, targets)
    if (source === destination) continue
    if (source === undefined || destination === undefined) {
      if (places.length > 0)
        left.push(`${places[0]}: a redirect from the old URL (the URLs of this site cannot be determined from paths)`)
    } else if (places.length === 0) {
      const [known] = site.redirects.list
      const why = known === undefined ? 'this site has no redirects' : `${known.file} belongs to several sites`
      left.push(`${source}: the old URL no longer works; ${why}`)
    } else {
      const hiding = site.redirects.list.find((one) => !one.pattern && toAddress(one.source) === destination)
      // Redirects in other files are removed.
      if (hiding !== undefined && (isLineFile(hiding.file) || input.explain(hiding.file) !== null))
        left.push(`${hiding.file}:${hiding.line}: the redirect from ${hiding.source} hides the moved page`)
      const result = await writeRedirect(input, site, { source, destination, page, newPage }, targets)
      if (typeof result === 'string') left.push(result)
      else added.push(result)
    }
  }
  return added
}

/** Returns true for files whose redirects are only added, not changed or removed. */
const isLineFile = (file: string): boolean => /(?:^|\/)(?:_redirects|netlify\.toml)$/.test(file)

/** Returns the added redirect, or the row for `left` if it cannot be added to any file. */
async function writeRedirect(
  input: MoveInput,
  site: Site,
  wanted: RedirectWanted,
  targets: Map<string, string>,
): Promise<AddedRedirect | string> {
  const { source, destination, newPage } = wanted
  const explain = (place: string) => input.explain(place) ?? findOtherSite(input, site, place, wanted)
  await updateRedirects(input, site, wanted, explain, targets)
  const tried: string[] = []
  for (const place of site.redirects.files) {
    const why = explain(place)
    const config = why === null ? await input.drafts.openConfig(place) : null
    const names = config === null ? null : toRedirectNames(site, config, wanted)
    const splices = config === null || !isPlain(names) ? null : addRedirect(site, config, wanted)
    if (splices !== null && names !== null) {
      await input.drafts.splice(place, splices)
      return { file: place, source, destination, names, page: newPage }
    }
    const reason = why ?? 'the redirect cannot be added to this file'
    tried.push(`${place}: a redirect from ${source} to ${destination} (${reason})`)
  }
  return tried[0] ?? ''
}

/** Returns false if a name contains a character that has a special meaning in redirects. */
const isPlain = (names: RedirectNames | null): boolean =>
  names !== null && !/[\s*(){}[\]$]|\/:/.test(`${names.source}${names.destination}`)

/**
 * Points redirects to the old URL at the new one. Removes a redirect whose source is the new URL,
 * because it would hide the page.
 */
async function updateRedirects(
  input: MoveInput,
  site: Site,
  wanted: RedirectWanted,
  explain: (place: string) => string | null,
  targets: Map<string, string>,
): Promise<void> {
  for (const place of site.redirects.files) {
    if (explain(place) !== null) continue
    // Every edit shifts positions, so the file is parsed again after each one.
    for (const edit of [removeShadow, retargetRedirects]) {
      const file = await input.drafts.openConfig(place)
      if (file !== null) await input.drafts.splice(place, edit(site, file, wanted, targets))
    }
  }
}

/**
 * Returns the reason why a redirect file cannot be changed: it also applies to a different site,
 * which has a page with the old or new URL.
 */
function findOtherSite(
  { repository, after }: MoveInput,
  site: Site,
  place: string,
  { source, destination, page, newPage }: RedirectWanted,
): string | null {
  const find = (index: SiteIndex, at: number, url: string, own: string) =>
    index.pages[at]?.get(url)?.find((path) => path !== own)
  for (const [at, other] of repository.sites.entries()) {
    if (other === site || !other.redirects.files.includes(place)) continue
    const found = find(repository.index, at, source, page) ?? find(after, at, destination, newPage)
    if (found !== undefined) return `the file also applies to ${other.config}, where ${found} has one of these URLs`
  }
  return null
}
