import type { Workspace } from '@corrigenda/git/workspace'
import { removeEntry } from '../edit/edit-entry.ts'
import { findSite } from '../frameworks/find-site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { resolveLink } from '../links/resolve-link.ts'
import { toDialect } from '../links/to-dialect.ts'
import { toUrls } from '../links/to-urls.ts'
import { findLinkSpans } from '../pages/find-link-spans.ts'
import { PAGE } from '../pages/paths.ts'
import { buildDraftFiles } from './draft-files.ts'
import { readRepository } from './read-repository.ts'
import { toNeedles } from './rewrite-links.ts'

export interface DeletePlan {
  /** New bytes of navigation files. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** Number of removed entries per file. */
  readonly entries: ReadonlyMap<string, number>
  /** Entries that remain, with the reason if their removal was requested. */
  readonly left: readonly string[]
  /** Links in other pages that point to the file, as `path:line: link`. */
  readonly links: readonly string[]
  /**
   * URL of the page, if the site has redirects that could forward it to another page; otherwise
   * null.
   */
  readonly redirectable: { readonly address: string; readonly file: string } | null
}

/** Maximum amount of text that is parsed; 2 s of CPU per million characters. */
const MAX_CHARS = 3_000_000
const MAX_LINKS = 1_000
const MAX_ENTRIES = 200

/**
 * Finds the references to a file before it is deleted: links, and navigation entries, which are
 * removed if `removesEntries` is set. Writes nothing. `explain` returns the reason a file may not
 * be written, or null if it may.
 */
export async function planDelete(
  workspace: Workspace,
  path: string,
  explain: (path: string) => string | null,
  removesEntries: boolean,
): Promise<DeletePlan> {
  const repository = await readRepository(workspace)
  const { index, sites, texts } = repository
  const drafts = buildDraftFiles(workspace)
  const entries = new Map<string, number>()
  const left: string[] = []
  for (const site of sites) {
    const found = site.navigation.entries.filter((entry) => findEntryPages(index, site, entry).paths[0] === path)
    // Edits run from the end of the file, so that earlier positions stay valid.
    for (const entry of found.toSorted((a, b) => b.start - a.start).slice(0, MAX_ENTRIES)) {
      const shown = `${entry.file}:${entry.line}: entry ${JSON.stringify(entry.page)}`
      if (!removesEntries) {
        left.push(shown)
        continue
      }
      const why = explain(entry.file)
      const file = why === null ? await drafts.openConfig(entry.file) : null
      const splices = file === null ? null : removeEntry(file, entry)
      if (splices === null) {
        left.push(`${shown} (${why ?? 'the entry also contains other pages'})`)
        continue
      }
      await drafts.splice(entry.file, splices)
      entries.set(entry.file, (entries.get(entry.file) ?? 0) + 1)
    }
  }
  const site = findSite(sites, path)
  const [address] = PAGE.test(path) ? toUrls(site, path, index.facts.get(path) ?? null) : []
  const [file] = site.redirects.files
  const links: string[] = []
  const needles = toNeedles(index, [path])
  let remaining = MAX_CHARS
  for (const [page, text] of texts) {
    if (page === path || entries.has(page) || !needles.some((needle) => text.includes(needle))) continue
    remaining -= text.length
    if (remaining < 0 || links.length >= MAX_LINKS) break
    const dialect = toDialect(page, findSite(sites, page))
    for (const { href, start } of (dialect === null ? null : findLinkSpans(text, dialect)) ?? []) {
      if (resolveLink(index, page, href).paths[0] !== path) continue
      links.push(`${page}:${text.slice(0, start).split('\n').length}: ${href.slice(0, 200)}`)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  const redirectable = address === undefined || file === undefined ? null : { address, file }
  return { writes: drafts.toWrites(), entries, left, links, redirectable }
}
