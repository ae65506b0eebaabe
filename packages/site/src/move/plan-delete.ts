import { removeEntry } from '../edit/edit-entry.ts'
import { findSite } from '../frameworks/find-site.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { resolvePageLink } from '../links/resolve-page-link.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE } from '../pages/paths.ts'
import type { PageReader } from '../thread/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildMention } from './build-mention.ts'
import { buildDraftFiles, type DraftFiles } from './draft-files.ts'
import { findMentions, type Mentions } from './find-mentions.ts'
import { readMentionNames } from './mention-names.ts'
import { MoveError } from './move-error.ts'
import { type Repository, readRepository } from './read-repository.ts'
import { describeEntry, describeShared, findPagesByEntry, toEntryKey, toSiteEntryKey } from './rename-entries.ts'
import { MAX_CHARS } from './rewrite-links.ts'
import { verifyPlan } from './verify-plan.ts'

export interface DeletePlan {
  /** New bytes of navigation files. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** Number of removed entries per file. */
  readonly entries: ReadonlyMap<string, number>
  /**
   * Entries that remain, with the reason if their removal was requested, and pages whose inherited
   * entry was removed.
   */
  readonly left: readonly string[]
  /** Links in other pages that point to the file, as `path:line: link`. */
  readonly links: readonly string[]
  /** Other lines that contain the file's address or path. */
  readonly mentions: Mentions
  /**
   * The page's URL and a file to which a redirect from it can be added, or null if either is
   * unknown.
   */
  readonly redirectable: { readonly address: string; readonly file: string } | null
}

const MAX_LINKS = 1_000

/**
 * Plans the deletion of a file. Finds the links and navigation entries that refer to it, and plans
 * the removal of the entries if `removesEntries` is set. Writes nothing. `explain` returns the
 * reason why a file cannot be written, or null if it can. `reader` is as for `readRepository`.
 * @throws MoveError if the file has too many entries, if the pages that may link to it contain too
 *   much text, or if removing the entries would change the sites in any other way
 */
export async function planDelete(
  workspace: Workspace,
  path: string,
  explain: (path: string) => string | null,
  removesEntries: boolean,
  reader?: PageReader,
): Promise<DeletePlan> {
  const repository = await readRepository(workspace, reader)
  const { index, sites, scans } = repository
  const drafts = buildDraftFiles(workspace)
  const { entries, removed, lost, left } = await removeEntries({ repository, path, drafts, explain, removesEntries })
  const site = findSite(sites, path)
  const [address] = PAGE.test(path) ? toUrls(site, path, index.facts.get(path) ?? null) : []
  const [file] = site.redirects.files
  const links: string[] = []
  const mention = buildMention({ index, paths: [path] })
  const pages = [...scans].filter(([page, scan]) => page !== path && mention(page, scan))
  const chars = pages.reduce((sum, [, scan]) => sum + scan.chars, 0)
  if (chars > MAX_CHARS) {
    throw new MoveError(
      `Nothing was deleted: ${pages.length} pages may link to ${path}, and their ${chars} characters exceed the limit of ${MAX_CHARS}.`,
    )
  }
  await repository.load(pages.map(([page]) => page))
  for (const [page] of pages) {
    if (links.length >= MAX_LINKS) break
    const text = repository.textOf(page)
    const listed = sites.flatMap(({ navigation }) => navigation.entries.filter(({ file }) => file === page))
    for (const span of repository.findSpans(page) ?? []) {
      const { href, start } = span
      if (resolvePageLink(index, page, span).paths[0] !== path) continue
      const line = text.slice(0, start).split('\n').length
      if (!entries.has(page) || !listed.some((entry) => entry.line === line))
        links.push(`${page}:${line}: ${href.slice(0, 200)}`)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  const redirectable = address === undefined || file === undefined ? null : { address, file }
  const writes = drafts.toWrites()
  const change = {
    moves: new Map([[path, null]]),
    writes,
    entries: removed,
    lostEntries: lost,
    lostLinks: new Set<string>(),
    pages: [],
    redirects: [],
  }
  const differences = writes.size === 0 ? [] : await verifyPlan(workspace, repository, change)
  if (differences.length > 0) {
    throw new MoveError(
      `Nothing was deleted, because the deletion would damage the site: ${differences.slice(0, 5).join('; ')}. Remove the navigation entries yourself, then delete the file without remove_entries.`,
    )
  }
  const names = await readMentionNames(workspace, repository, [path])
  const toPath = (other: string) => (other === path ? null : other)
  const mentions = await findMentions(workspace, { names, writes, toPath, listed: [...left, ...links] })
  return { writes, entries, left, links, mentions, redirectable }
}

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
async function removeEntries(input: RemoveInput): Promise<RemoveResult> {
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
