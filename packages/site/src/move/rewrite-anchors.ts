import { toTextRange } from '../config/literal.ts'
import { renameEntry } from '../edit/edit-entry.ts'
import { quoteLike } from '../edit/quote-text.ts'
import { findRedirectList, toRedirectPlaces } from '../edit/redirect-places.ts'
import type { NavigationEntry, SiteRedirect } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { resolveUrl } from '../links/resolve-url.ts'
import { PAGE } from '../pages/paths.ts'
import type { Splice } from '../workspace/text-file.ts'
import type { DraftFiles } from './draft-files.ts'
import { findAnchorLinks } from './find-anchor-links.ts'
import type { HeadingRename } from './heading-rename.ts'
import type { Repository } from './read-repository.ts'
import { findHeadingIndex, renameAnchor } from './rename-anchor.ts'
import { describeEntry, toEntryKey } from './rename-entries.ts'
import { toLinkKey } from './rewrite-links.ts'

interface AnchorInput {
  readonly repository: Repository
  readonly rename: HeadingRename
  readonly drafts: DraftFiles
  /** Returns the reason why a file cannot be written, or null if it can. */
  explain(path: string): string | null
}

interface AnchorResult {
  /** Number of rewritten links per page. */
  readonly counts: ReadonlyMap<string, number>
  /** Number of rewritten entries and redirects per file. */
  readonly entries: ReadonlyMap<string, number>
  /** New page names of entries, keyed by `toEntryKey`. */
  readonly texts: ReadonlyMap<string, string>
  /** New destinations of redirects, keyed by the old ones. */
  readonly redirectTargets: ReadonlyMap<string, string>
  readonly left: readonly string[]
  /** The links in `left`, keyed by `toLinkKey`. */
  readonly lost: ReadonlySet<string>
  /** The heading's page and the pages with links to its anchors. */
  readonly pages: readonly string[]
}

/**
 * Rewrites the links, navigation entries and redirects that lead to a heading whose id changes,
 * together with the text of the renamed heading. Edits are recorded in the drafts.
 * @param heading the edit that changes the heading's text
 * @throws MoveError if the pages that may link to the heading contain too much text
 */
export async function rewriteAnchors(input: AnchorInput, heading: Splice): Promise<AnchorResult> {
  const { repository, rename, drafts, explain } = input
  const left: string[] = []
  const lost = new Set<string>()
  const entries = new Map<string, number>()
  const texts = await rewriteEntries(input, entries, left)
  const redirectTargets = await rewriteRedirects(input, entries, left)
  const changed = rename.oldIds.filter((id, i) => id !== rename.newIds[i])
  const { links, unparsed } = await findAnchorLinks(repository, rename.page, changed)
  for (const page of unparsed) left.push(`${page}: the page does not parse, so its links were not checked`)
  const edits = new Map<string, Splice[]>([[rename.page, [heading]]])
  const counts = new Map<string, number>()
  for (const { page, span } of links) {
    const link = renameAnchor(repository.index, page, span, rename)
    if (link === null) continue
    const text = repository.textOf(page)
    const at = text.slice(span.start, span.end).indexOf('#')
    const isEscaped = at !== span.href.indexOf('#')
    const why = isEscaped ? `the link contains escapes; change it to ${link}` : explain(page)
    if (why !== null) {
      left.push(`${page}:${text.slice(0, span.start).split('\n').length}: ${span.href.slice(0, 200)} (${why})`)
      lost.add(toLinkKey(page, span.start))
      continue
    }
    const replacement = link.slice(link.indexOf('#') + 1)
    edits.set(page, [...(edits.get(page) ?? []), { start: span.start + at + 1, end: span.end, replacement }])
    counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  for (const [page, splices] of edits) await drafts.splice(page, splices)
  return { counts, entries, texts, redirectTargets, left, lost, pages: [...new Set(links.map(({ page }) => page))] }
}

/** Returns the text with the anchor after the change, or null if it leads to another heading. */
function renameText({ rename }: AnchorInput, text: string, path: string | undefined): string | null {
  const at = text.indexOf('#') + 1
  const index = at > 0 && path === rename.page ? findHeadingIndex(text.slice(at), rename.oldIds, rename.tagIds) : null
  const id = index === null ? undefined : rename.newIds[index]
  return index === null || id === undefined || id === rename.oldIds[index] ? null : `${text.slice(0, at)}${id}`
}

async function rewriteEntries(
  input: AnchorInput,
  counts: Map<string, number>,
  left: string[],
): Promise<ReadonlyMap<string, string>> {
  const { repository, drafts, explain } = input
  const { index, sites } = repository
  const texts = new Map<string, string>()
  const byFile = new Map<string, Map<number, { entry: NavigationEntry; text: string }>>()
  for (const site of sites) {
    for (const entry of site.navigation.entries) {
      const text = renameText(input, entry.page, findEntryPages(index, site, entry).paths[0])
      if (text === null || entry.isShared) continue
      const why = explain(entry.file)
      if (why !== null) left.push(describeEntry(entry, why))
      else {
        texts.set(toEntryKey(entry), text)
        // The links of Markdown navigation are rewritten with those of the pages.
        if (!PAGE.test(entry.file))
          byFile.set(entry.file, (byFile.get(entry.file) ?? new Map()).set(entry.start, { entry, text }))
      }
    }
  }
  for (const [path, found] of byFile) {
    const file = await drafts.openConfig(path)
    if (file === null) continue
    const splices = Array.from(found.values(), ({ entry, text }) => renameEntry(file, entry, text))
    await drafts.splice(path, splices)
    counts.set(path, splices.length)
  }
  return texts
}

async function rewriteRedirects(
  input: AnchorInput,
  counts: Map<string, number>,
  left: string[],
): Promise<ReadonlyMap<string, string>> {
  const { repository, drafts, explain } = input
  const targets = new Map<string, string>()
  for (const site of repository.sites) {
    const found = new Map<string, { redirect: SiteRedirect; text: string }>()
    for (const redirect of site.redirects.list) {
      const { destination, pattern } = redirect
      if (pattern || !destination.includes('#') || /^[a-z][a-z0-9+.-]*:/i.test(destination)) continue
      const path = `/${destination.replace(/[?#].*$/s, '').replace(/^\/+/, '')}`
      const text = renameText(input, destination, resolveUrl(repository.index, site, path).paths[0])
      if (text !== null) found.set(destination, { redirect, text })
    }
    for (const path of new Set(Array.from(found.values(), ({ redirect }) => redirect.file))) {
      const file = explain(path) === null ? await drafts.openConfig(path) : null
      const places = file === null ? [] : toRedirectPlaces(findRedirectList(site, file))
      const splices = places.flatMap(({ destination }) => {
        const text = found.get(destination.value)?.text
        if (file === null || text === undefined) return []
        targets.set(destination.value, text)
        const { start, end } = toTextRange(file.text, destination)
        return [{ start, end, replacement: quoteLike(path, file.text, start, text).replacement }]
      })
      await drafts.splice(path, splices)
      if (splices.length > 0) counts.set(path, (counts.get(path) ?? 0) + splices.length)
    }
    for (const [destination, { redirect, text }] of found) {
      const why = explain(redirect.file) ?? `change it to ${text}`
      if (!targets.has(destination)) left.push(`${redirect.file}:${redirect.line}: redirect to ${destination} (${why})`)
    }
  }
  return targets
}
