import { findSite } from '../frameworks/find-site.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import type { PageReader } from '../thread/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildDraftFiles } from './draft-files.ts'
import { findMentions, type Mentions } from './find-mentions.ts'
import { readMentionNames } from './mention-names.ts'
import { MoveError } from './move-error.ts'
import type { MoveInput } from './move-input.ts'
import { readRepository } from './read-repository.ts'
import { renameString } from './rename-string.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { type NavigationResult, rewriteNavigation } from './rewrite-navigation.ts'
import { rewriteStrings, type StringsResult } from './rewrite-strings.ts'
import { verifyPlan } from './verify-plan.ts'

export interface MovePlan {
  /** New bytes keyed by current path, including moved files. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** Number of rewritten links per file, keyed by current path. */
  readonly links: ReadonlyMap<string, number>
  readonly navigation: NavigationResult
  /** Number of rewritten texts outside of the navigation per configuration file. */
  readonly strings: ReadonlyMap<string, number>
  /** References that were not rewritten, with the reason. */
  readonly left: readonly string[]
  /** Other lines that contain an old address or path. */
  readonly mentions: Mentions
  /** The index of the sites after the move. */
  readonly after: SiteIndex
}

/**
 * Plans the edits for moved files: links to them, their relative links, navigation entries and
 * redirects. Writes nothing. `explain` returns the reason why a file cannot be written, or null if
 * it can. `reader` is as for `readRepository`.
 * @throws MoveError if a moved page would have the URL of another page, if the pages that may link
 *   to the files contain too much text, or if the plan would change the sites in any way other than
 *   the move
 */
export async function planMove(
  workspace: Workspace,
  moves: ReadonlyMap<string, string>,
  explain: (path: string) => string | null,
  reader?: PageReader,
): Promise<MovePlan> {
  const repository = await readRepository(workspace, reader)
  const paths = repository.paths.map((path) => moves.get(path) ?? path)
  const facts = new Map<string, PageFacts>()
  for (const [path, own] of repository.index.facts) facts.set(moves.get(path) ?? path, own)
  const after = buildSiteIndex(repository.sites, paths, facts)
  const conflict = findUrlConflict(repository.index, after, moves)
  if (conflict !== null) throw new MoveError(`Nothing was moved: ${conflict}. Choose another new_path.`)
  const plan = async (rewritesStrings: boolean) => {
    const input = { repository, after, moves, drafts: buildDraftFiles(workspace), explain }
    const navigation = await rewriteNavigation(input)
    const strings = rewritesStrings ? await renameStrings(input) : NO_STRINGS
    const links = await rewriteLinks(input)
    const writes = input.drafts.toWrites()
    const differences = await verifyPlan(workspace, repository, {
      moves,
      writes,
      // Links in Markdown navigation are entries, too, even if they do not name an existing file.
      entries: new Map([...links.links, ...navigation.texts]),
      lostEntries: navigation.lost,
      lostLinks: links.lost,
      pages: links.pages,
      redirects: navigation.redirects,
      strings: strings.texts,
      redirectTargets: new Map([...strings.texts.values()].flatMap((texts) => [...texts])),
    })
    return { navigation, strings, links, writes, differences }
  }
  let planned = await plan(true)
  // A text that only looks like an address is listed instead.
  if (planned.differences.length > 0 && planned.strings.texts.size > 0) planned = await plan(false)
  const { navigation, strings, links, writes, differences } = planned
  if (differences.length > 0) {
    throw new MoveError(
      `Nothing was moved, because the move would damage the site: ${differences.slice(0, 5).join('; ')}. Edit the files yourself, or finish with impossible and explain why.`,
    )
  }
  const left = [...navigation.left, ...links.left]
  const names = await readMentionNames(workspace, repository, moves.keys())
  const toPath = (path: string) => moves.get(path) ?? path
  const mentions = await findMentions(workspace, { names, writes, toPath, listed: left })
  return { writes, links: links.counts, navigation, strings: strings.counts, left, mentions, after }
}

const NO_STRINGS: StringsResult = { counts: new Map(), texts: new Map() }

function renameStrings(input: MoveInput): Promise<StringsResult> {
  return rewriteStrings({ ...input, rename: (...args) => renameString(input, ...args) })
}

/**
 * Returns a description of the first moved page that would have the URL of another page, or null.
 * Ignores pages that already have the same URL.
 */
function findUrlConflict(before: SiteIndex, after: SiteIndex, moves: ReadonlyMap<string, string>): string | null {
  for (const [page, newPage] of moves) {
    const site = findSite(after.sites, newPage)
    const pages = after.pages[after.sites.indexOf(site)]
    const [url] = toUrls(site, newPage, after.facts.get(newPage) ?? null)
    const others = (url === undefined ? undefined : pages?.get(url)) ?? []
    // Files other than pages do not have the URL of a page.
    if (!others.includes(newPage)) continue
    const [old = ''] = toUrls(findSite(before.sites, page), page, before.facts.get(page) ?? null)
    const known = before.pages[before.sites.indexOf(findSite(before.sites, page))]?.get(old) ?? []
    const other = others.find((path) => path !== newPage && !known.some((one) => (moves.get(one) ?? one) === path))
    if (other !== undefined) return `${newPage} would have the same URL as ${other} (${url})`
  }
  return null
}
