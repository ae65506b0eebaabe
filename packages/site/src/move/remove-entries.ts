import { removeEntry } from '../edit/edit-entry.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import type { DraftFiles } from './draft-files.ts'
import { MoveError } from './move-error.ts'
import type { Repository } from './read-repository.ts'
import { describeEntry, describeShared, findPagesByEntry, toEntryKey, toSiteEntryKey } from './rename-entries.ts'

interface RemoveInput {
  readonly repository: Repository
  /** The file to delete. */
  readonly path: string
  readonly drafts: DraftFiles
  /** Returns the reason why a file cannot be written, or null if it can. */
  explain(path: string): string | null
  /** False to only list the entries. */
  readonly removesEntries: boolean
}

interface RemoveResult {
  /** Number of removed entries per file. */
  readonly entries: ReadonlyMap<string, number>
  /** The removed entries, keyed by `toEntryKey`. */
  readonly removed: ReadonlyMap<string, null>
  /** Entries in `left`, keyed by `toSiteEntryKey`. */
  readonly lost: ReadonlySet<string>
  readonly left: readonly string[]
}

const MAX_ENTRIES = 200

/**
 * Removes the navigation entries for a file in every site. Edits are recorded in the drafts.
 * @throws MoveError if the file has too many entries
 */
export async function removeEntries(input: RemoveInput): Promise<RemoveResult> {
  const { repository, path, drafts, explain } = input
  const { index, sites } = repository
  const entries = new Map<string, number>()
  const removed = new Map<string, null>()
  const lost = new Set<string>()
  const left: string[] = []
  for (const site of sites) {
    const pages = findPagesByEntry(index, site)
    const found = new Map<string, NavigationEntry>()
    for (const entry of site.navigation.entries)
      if (findEntryPages(index, site, entry).paths[0] === path) found.set(toEntryKey(entry), entry)
    if (found.size > MAX_ENTRIES) {
      throw new MoveError(
        `Nothing was deleted: ${path} has ${found.size} navigation entries; the limit is ${MAX_ENTRIES}.`,
      )
    }
    // Edits are applied from the end of the file, so that earlier positions stay valid.
    for (const [key, entry] of [...found].toSorted(([, a], [, b]) => b.start - a.start)) {
      const leave = (why?: string) => {
        left.push(describeEntry(entry, why))
        lost.add(toSiteEntryKey(site, entry))
      }
      const other = [...(pages.get(key) ?? [])].find((page) => page !== path)
      // The entry may already have been removed, because two sites may read the same file.
      if (removed.has(key)) continue
      if (!input.removesEntries) {
        leave()
        continue
      }
      const shared = entry.isShared ? describeShared(site) : null
      const why = shared ?? (other === undefined ? explain(entry.file) : `the entry also refers to ${other}`)
      const file = why === null ? await drafts.openConfig(entry.file) : null
      const splices = file === null ? null : removeEntry(file, entry)
      if (splices === null) {
        leave(why ?? 'the entry also contains other pages')
        continue
      }
      await drafts.splice(entry.file, splices)
      entries.set(entry.file, (entries.get(entry.file) ?? 0) + 1)
      removed.set(key, null)
    }
  }
  for (const site of sites) {
    for (const entry of site.navigation.entries) {
      const [page] = findEntryPages(index, site, entry).paths
      if (page !== undefined && page !== path && removed.has(toEntryKey(entry)))
        left.push(`${page}: its entry was inherited from ${entry.file}, where it was removed`)
    }
  }
  return { entries, removed, lost, left }
}
