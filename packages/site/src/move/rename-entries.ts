import { renameEntry } from '../edit/edit-entry.ts'
import { toEntryText } from '../edit/to-entry-text.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { MoveInput } from './move-input.ts'

export interface EntryResult {
  /** Number of renamed entries per file. */
  readonly entries: ReadonlyMap<string, number>
  /** New page names in the renamed entries, keyed by `toEntryKey`. */
  readonly texts: ReadonlyMap<string, string>
  /** Entries listed in `left`, keyed by `toSiteEntryKey`. They may lose their page. */
  readonly lost: ReadonlySet<string>
  readonly left: readonly string[]
}

/** Identifies an entry by its position, because several sites may read the same entry. */
export const toEntryKey = ({ file, start }: NavigationEntry): string => `${start}:${file}`

/** Identifies an entry of one site. */
export const toSiteEntryKey = ({ config }: Site, entry: NavigationEntry): string => `${config}:${toEntryKey(entry)}`

export const describeEntry = (entry: NavigationEntry, why?: string): string =>
  `${entry.file}:${entry.line}: entry ${JSON.stringify(entry.page)}${why === undefined ? '' : ` (${why})`}`

/** Returns the reason why a site cannot change a shared entry. */
export const describeShared = ({ config, root }: Site): string =>
  `${config ?? root} shares this entry with another site, so it was not changed`

/**
 * Returns the existing pages that a site's entries refer to, keyed by `toEntryKey`. A site may read
 * the same list twice, with a different folder for each.
 */
export function findPagesByEntry(index: SiteIndex, site: Site): Map<string, ReadonlySet<string>> {
  const pages = new Map<string, Set<string>>()
  for (const entry of site.navigation.entries) {
    const [page] = findEntryPages(index, site, entry).paths
    const key = toEntryKey(entry)
    if (page !== undefined) pages.set(key, (pages.get(key) ?? new Set()).add(page))
  }
  return pages
}

/**
 * Renames the entries for moved pages in the navigation of every site. Edits are recorded in the
 * drafts.
 */
export async function renameEntries(input: MoveInput): Promise<EntryResult> {
  const { repository, after, moves, drafts } = input
  const entries = new Map<string, number>()
  const texts = new Map<string, string>()
  const lost = new Set<string>()
  const left: string[] = []
  const leave = (site: Site, entry: NavigationEntry, why: string) => {
    const key = toSiteEntryKey(site, entry)
    if (!lost.has(key)) left.push(describeEntry(entry, why))
    lost.add(key)
  }
  const toText = (site: Site, entry: NavigationEntry, page: string) => {
    const target = moves.get(page) ?? page
    const like = { ...entry, file: moves.get(entry.file) ?? entry.file }
    return toEntryText(site, like, target, after.facts.get(target) ?? null)
  }
  for (const site of repository.sites) {
    const pages = findPagesByEntry(repository.index, site)
    const byFile = new Map<string, Map<number, { entry: NavigationEntry; text: string }>>()
    for (const entry of site.navigation.entries) {
      const [page] = findEntryPages(repository.index, site, entry).paths
      if (entry.isShared || page === undefined || !(moves.has(page) || moves.has(entry.file))) continue
      const text = toText(site, entry, page)
      const other = [...(pages.get(toEntryKey(entry)) ?? [])].find((one) => one !== page)
      const why = input.explain(entry.file)
      if (why !== null) leave(site, entry, why)
      else if (other !== undefined) leave(site, entry, `the entry also refers to ${other}`)
      else if (text === null) leave(site, entry, 'an entry at this position cannot refer to the new path')
      else if (text !== entry.page)
        byFile.set(entry.file, (byFile.get(entry.file) ?? new Map()).set(entry.start, { entry, text }))
    }
    for (const [path, found] of byFile) {
      const file = await drafts.openConfig(path)
      if (file === null) continue
      const renamed = [...found.values()]
      await drafts.splice(
        path,
        renamed.map(({ entry, text }) => renameEntry(file, entry, text)),
      )
      entries.set(path, renamed.length)
      for (const { entry, text } of renamed) texts.set(toEntryKey(entry), text)
    }
  }
  for (const site of repository.sites) {
    for (const entry of site.navigation.entries.filter(({ isShared }) => isShared)) {
      const [page] = findEntryPages(repository.index, site, entry).paths
      if (page === undefined) continue
      const renamed = texts.get(toEntryKey(entry))
      if (renamed === undefined && moves.has(page)) leave(site, entry, describeShared(site))
      else if (renamed !== undefined && renamed !== toText(site, entry, page)) {
        const name = moves.get(page) ?? page
        leave(site, entry, `it is now ${JSON.stringify(renamed)}, and ${site.config} no longer finds ${name}`)
      }
    }
  }
  return { entries, texts, lost, left }
}
