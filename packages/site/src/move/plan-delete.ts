import { findSite } from '../frameworks/find-site.ts'
import { resolveLink } from '../links/resolve-link.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE } from '../pages/paths.ts'
import type { PageReader } from '../thread/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildMention } from './build-mention.ts'
import { buildDraftFiles } from './draft-files.ts'
import { findMentions, type Mentions } from './find-mentions.ts'
import { readMentionNames } from './mention-names.ts'
import { MoveError } from './move-error.ts'
import { readRepository } from './read-repository.ts'
import { removeEntries } from './remove-entries.ts'
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
    for (const { href, start } of repository.findSpans(page) ?? []) {
      if (resolveLink(index, page, href).paths[0] !== path) continue
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
