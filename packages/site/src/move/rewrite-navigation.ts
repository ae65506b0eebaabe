import { addRedirect, type RedirectWanted } from '../edit/add-redirect.ts'
import { renameEntry } from '../edit/edit-entry.ts'
import { removeShadow, retargetRedirects } from '../edit/retarget-redirects.ts'
import { toEntryText } from '../edit/to-entry-text.ts'
import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE } from '../pages/paths.ts'
import type { DraftFiles } from './draft-files.ts'
import type { Repository } from './read-repository.ts'

export interface NavigationInput {
  readonly repository: Repository
  readonly after: SiteIndex
  readonly moves: ReadonlyMap<string, string>
  readonly drafts: DraftFiles
  explain(path: string): string | null
}

export interface NavigationResult {
  /** Number of renamed entries per file. */
  readonly entries: ReadonlyMap<string, number>
  readonly redirects: readonly { readonly file: string; readonly source: string; readonly destination: string }[]
  readonly left: readonly string[]
}

/**
 * Renames the entries of moved pages in the navigation of every site, and adds redirects where the
 * sites keep them. Edits go to the drafts.
 */
export async function rewriteNavigation(input: NavigationInput): Promise<NavigationResult> {
  const { repository, after, moves, drafts } = input
  const entries = new Map<string, number>()
  const left: string[] = []
  for (const site of repository.sites) {
    const byFile = new Map<string, { entry: NavigationEntry; text: string | null; page: string }[]>()
    for (const entry of site.navigation.entries) {
      const [page] = findEntryPages(repository.index, site, entry).paths
      const target = page === undefined ? undefined : moves.get(page)
      if (target === undefined || page === undefined) continue
      const text = toEntryText(site, entry, target, after.facts.get(target) ?? null)
      byFile.set(entry.file, [...(byFile.get(entry.file) ?? []), { entry, text, page }])
    }
    for (const [path, found] of byFile) {
      const why = input.explain(path)
      if (why !== null) {
        left.push(...found.map(({ entry }) => `${path}:${entry.line}: entry ${JSON.stringify(entry.page)} (${why})`))
        continue
      }
      const file = await drafts.openConfig(path)
      if (file === null) continue
      const renamed = found.filter(({ entry, text }) => text !== null && text !== entry.page)
      await drafts.splice(
        path,
        renamed.map(({ entry, text }) => renameEntry(file, entry, text ?? '')),
      )
      if (renamed.length > 0) entries.set(path, renamed.length)
      for (const { entry } of found.filter(({ text }) => text === null)) {
        left.push(
          `${path}:${entry.line}: entry ${JSON.stringify(entry.page)} (an entry at this position cannot refer to the new path)`,
        )
      }
    }
    if (
      site.navigation.mode === 'unknown' &&
      [...moves.keys()].some((page) => findSite(repository.sites, page) === site && PAGE.test(page))
    ) {
      const files = site.navigation.files.slice(0, 3).join(', ')
      left.push(`${files}: parts of this navigation are code or generated; check if they refer to the page`)
    }
  }
  const redirects = await writeRedirects(input, left)
  return { entries, redirects, left }
}

async function writeRedirects(
  input: NavigationInput,
  left: string[],
): Promise<NavigationResult['redirects'][number][]> {
  const { repository, after, moves, drafts } = input
  const added: { file: string; source: string; destination: string }[] = []
  for (const [page, newPage] of moves) {
    if (!PAGE.test(page)) continue
    const site = findSite(repository.sites, page)
    const home = findSite(after.sites, newPage)
    if (site.config === null || findContent(site, page)?.kind !== 'docs') continue
    const [source] = toUrls(site, page, repository.index.facts.get(page) ?? null)
    const [destination] = toUrls(home, newPage, after.facts.get(newPage) ?? null)
    if (home !== site || source === destination) continue
    const places = site.redirects.files
    if (source === undefined || destination === undefined) {
      if (places.length > 0)
        left.push(`${places[0]}: a redirect from the old URL (the URLs of this site cannot be determined from paths)`)
      continue
    }
    if (places.length === 0) {
      left.push(`${source}: the old URL no longer works; this site has no redirects`)
      continue
    }
    const wanted = { source, destination, page, newPage }
    await updateRedirects(input, site, wanted)
    const tried: string[] = []
    let file: string | null = null
    for (const place of places) {
      const why = input.explain(place)
      const config = why === null ? await drafts.openConfig(place) : null
      const splices = config === null ? null : addRedirect(site, config, wanted)
      if (splices === null) {
        tried.push(
          `${place}: a redirect from ${source} to ${destination} (${why ?? 'the redirect cannot be added to this file'})`,
        )
        continue
      }
      await drafts.splice(place, splices)
      file = place
      break
    }
    if (file === null) left.push(...tried.slice(0, 1))
    else added.push({ file, source, destination })
  }
  return added
}

/**
 * Changes redirects from the old URL to the new one. Removes a redirect whose source is the new
 * URL, because it would hide the page.
 */
async function updateRedirects(input: NavigationInput, site: Site, wanted: RedirectWanted): Promise<void> {
  for (const place of site.redirects.files) {
    if (input.explain(place) !== null) continue
    // Every edit shifts positions, so the file is read again.
    for (const edit of [removeShadow, retargetRedirects]) {
      const file = await input.drafts.openConfig(place)
      if (file !== null) await input.drafts.splice(place, edit(site, file, wanted))
    }
  }
}
