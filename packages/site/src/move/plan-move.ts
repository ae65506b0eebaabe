import { listStrings } from '../config/list-strings.ts'
import { quoteLike } from '../edit/quote-text.ts'
import { findRedirectList } from '../edit/redirect-places.ts'
import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import { isReachable } from '../links/is-reachable.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { isBelow, PAGE, toFolder, toInner, toRelative } from '../pages/paths.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { findStringTarget, type StringTarget } from '../references/find-string-target.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import type { PageReader } from '../thread/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildDraftFiles, type DraftFiles } from './draft-files.ts'
import { findMentions, type Mentions } from './find-mentions.ts'
import { readMentionNames } from './mention-names.ts'
import { MoveError } from './move-error.ts'
import type { MoveInput } from './move-input.ts'
import { type Repository, readRepository } from './read-repository.ts'
import { type EntryResult, renameEntries } from './rename-entries.ts'
import { retargetLink } from './retarget-link.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { verifyPlan } from './verify-plan.ts'
import { type AddedRedirect, writeRedirects } from './write-redirects.ts'

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
      redirectTargets: new Map([
        ...navigation.redirectTargets,
        ...[...strings.texts.values()].flatMap((texts) => [...texts]),
      ]),
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

interface NavigationResult extends EntryResult {
  readonly redirects: readonly AddedRedirect[]
  /** New destinations of existing redirects, keyed by the old ones. */
  readonly redirectTargets: ReadonlyMap<string, string>
}

/**
 * Renames the entries for moved pages in every site's navigation, and adds redirects to the files
 * where sites define them. Edits are recorded in the drafts.
 */
async function rewriteNavigation(input: MoveInput): Promise<NavigationResult> {
  const { repository, moves } = input
  const result = await renameEntries(input)
  const left = [...result.left]
  for (const site of repository.sites) {
    if (
      site.navigation.mode === 'unknown' &&
      [...moves.keys()].some((page) => findSite(repository.sites, page) === site && PAGE.test(page))
    ) {
      const files = site.navigation.files.slice(0, 3).join(', ')
      left.push(`${files}: parts of this navigation are code or generated; check whether they refer to the page`)
    }
  }
  left.push(...findUnlisted(input))
  const redirectTargets = new Map<string, string>()
  const redirects = await writeRedirects(input, left, redirectTargets)
  return { ...result, redirects, redirectTargets, left }
}

/** Returns the pages that leave a folder whose pages are added to the navigation automatically. */
function findUnlisted({ repository, after, moves }: MoveInput): string[] {
  const { index, sites } = repository
  return [...moves].flatMap(([page, newPage]) => {
    if (!PAGE.test(page)) return []
    const site = findSite(sites, page)
    const isListed = index.named[sites.indexOf(site)]?.has(page) === true
    if (isListed || isReachable(index, site, page) !== 'yes') return []
    const home = findSite(sites, newPage)
    return isReachable(after, home, newPage) === 'no'
      ? [`${newPage}: the page is no longer in the navigation, because its new folder is not added automatically`]
      : []
  })
}

interface StringsInput {
  readonly repository: Repository
  readonly drafts: DraftFiles
  /** Returns the reason why a file cannot be written, or null if it can. */
  explain(path: string): string | null
  /**
   * Returns the text that names the same target after the change, or null if no such text is
   * possible. Returns the text itself if it stays the same.
   */
  rename(site: Site, file: string, value: string, target: StringTarget): string | null
}

interface StringsResult {
  /** Number of rewritten texts per file. */
  readonly counts: ReadonlyMap<string, number>
  /** New texts keyed by the old ones, per file. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/**
 * Rewrites the texts in the sites' configuration that name a changed page and are not part of the
 * navigation or the redirects, such as links in a footer. Edits are recorded in the drafts, and the
 * navigation must have been edited before. Texts that remain are found by `findMentions`.
 */
async function rewriteStrings(input: StringsInput): Promise<StringsResult> {
  const { repository, drafts, explain } = input
  const counts = new Map<string, number>()
  const texts = new Map<string, ReadonlyMap<string, string>>()
  for (const site of repository.sites) {
    for (const path of listConfigFiles(site)) {
      const file = texts.has(path) || explain(path) !== null ? null : await drafts.openConfig(path)
      if (file === null) continue
      const list = findRedirectList(site, file)
      const renamed = new Map<string, string>()
      const splices = listStrings(file).flatMap((string) => {
        const { value, start, end } = string
        if (list !== null && start > list.start && end < list.end) return []
        const target = findStringTarget(repository.index, site, path, string)
        const text = target === null ? null : input.rename(site, path, value, target)
        if (text === null || text === value) return []
        renamed.set(value, text)
        return [{ start, end, replacement: quoteLike(path, file.text, start, text).replacement }]
      })
      if (splices.length === 0) continue
      await drafts.splice(path, splices)
      counts.set(path, splices.length)
      texts.set(path, renamed)
    }
  }
  return { counts, texts }
}

/**
 * Returns the text in a configuration file that names a moved file after the move, in the same form.
 * Returns the text itself if the file does not move, and null if no such text is possible.
 */
function renameString(
  { repository, after, moves }: Pick<MoveInput, 'repository' | 'after' | 'moves'>,
  site: Site,
  file: string,
  value: string,
  { path, kind, folder }: StringTarget,
): string | null {
  const newTarget = moves.get(path)
  if (newTarget === undefined) return value
  const now = findSite(after.sites, newTarget)
  if (kind === 'file') {
    const dots = value.startsWith('./') ? './' : ''
    if (isBelow(newTarget, folder)) return `${dots}${toInner(newTarget, folder)}`
    return folder === toFolder(file) ? toRelative(folder, newTarget) : null
  }
  const before = repository.index
  if (findSite(before.sites, path) !== site || now.framework !== site.framework) return null
  const slash = value.startsWith('/') ? '' : '/'
  const input = { before, after, page: path, newPage: newTarget, target: path, newTarget }
  const text = retargetLink({ ...input, link: { kind: 'link', href: `${slash}${value}` } })?.slice(slash.length) ?? null
  const key = 'link'
  return text !== null && findStringTarget(after, now, file, { value: text, key, start: 0, end: 0 })?.path === newTarget
    ? text
    : null
}
