import { findSite } from '../frameworks/find-site.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import { toUrls } from '../links/to-urls.ts'
import { findLinkSpans } from '../pages/find-link-spans.ts'
import { dropExtension, dropNumber, PAGE, toFolder, toName } from '../pages/paths.ts'
import type { DraftFiles } from './draft-files.ts'
import type { Repository } from './read-repository.ts'
import { retargetLink } from './retarget-link.ts'

export interface RewriteInput {
  readonly repository: Repository
  readonly after: SiteIndex
  /** New paths keyed by old path. */
  readonly moves: ReadonlyMap<string, string>
  readonly drafts: DraftFiles
  /** Returns the reason a file may not be written, or null if it may. */
  explain(path: string): string | null
}

export interface RewriteResult {
  /** Number of rewritten links per file, keyed by the path before the move. */
  readonly counts: ReadonlyMap<string, number>
  /** Links for manual review: `path:line: link`, with a reason. */
  readonly left: readonly string[]
}

/** Maximum amount of text parsed in one move; 2 s of CPU per million characters. */
const MAX_CHARS = 3_000_000

/**
 * Rewrites links to moved files and relative links in moved pages. Edits go to the drafts and no
 * file is written.
 */
export async function rewriteLinks(input: RewriteInput): Promise<RewriteResult> {
  const { repository, after, moves, drafts } = input
  const before = repository.index
  const needles = toNeedles(before, [...moves.keys()])
  const counts = new Map<string, number>()
  const left: string[] = []
  let remaining = MAX_CHARS
  let unread = 0
  for (const [page, text] of repository.texts) {
    if (!moves.has(page) && !needles.some((needle) => text.includes(needle))) continue
    remaining -= text.length
    if (remaining < 0) {
      unread += 1
      continue
    }
    const dialect = toDialect(page, findSite(before.sites, page))
    const spans = dialect === null ? [] : findLinkSpans(text, dialect)
    if (spans === null) {
      if (moves.has(page) || mentions(text, needles))
        left.push(`${page}: the page does not parse, so its links were not checked`)
      continue
    }
    const newPage = moves.get(page) ?? page
    const edits: { start: number; end: number; replacement: string }[] = []
    for (const { href, start, end } of spans) {
      const target = resolveLink(before, page, href)
      const [path] = target.paths
      if (target.verdict !== 'yes' || path === undefined || target.kind === 'page') continue
      if (!moves.has(path) && newPage === page) continue
      const written = text.slice(start, end)
      const link = retargetLink({
        before,
        after,
        page,
        newPage,
        href,
        target: path,
        newTarget: moves.get(path) ?? path,
      })
      const line = text.slice(0, start).split('\n').length
      if (link === null) left.push(`${page}:${line}: ${clip(href)} (a link of this form cannot point to the new path)`)
      else if (link !== href && written !== href && /[\\&]/.test(written)) {
        left.push(`${page}:${line}: ${clip(href)} (the link contains escapes; change it to ${link})`)
      } else if (link !== href) edits.push({ start, end, replacement: link })
    }
    if (edits.length > 0) {
      const why = input.explain(page)
      if (why === null) {
        await drafts.splice(page, edits)
        counts.set(page, edits.length)
      } else left.push(`${page}: ${edits.length} ${edits.length === 1 ? 'link' : 'links'} (${why})`)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (unread > 0)
    left.push(
      `${unread} ${unread === 1 ? 'page that may link to it was' : 'pages that may link to it were'} not checked, because the text of the pages exceeds the limit for one move`,
    )
  return { counts, left }
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * Returns the names of the files in paths and URLs. A page that links to one of the files
 * contains at least one of these texts.
 */
export function toNeedles(index: SiteIndex, paths: readonly string[]): string[] {
  const needles = new Set<string>()
  for (const path of paths) {
    const names = [path]
    if (PAGE.test(path)) names.push(...toUrls(findSite(index.sites, path), path, index.facts.get(path) ?? null))
    for (const name of names) {
      const stem = dropExtension(toName(name))
      const known = /^(?:index|readme|page)$/i.test(stem) ? toName(toFolder(name)) : stem
      for (const form of [known, dropNumber(known)]) {
        needles.add(form)
        needles.add(encodeURIComponent(form))
      }
    }
  }
  return [...needles]
}

function mentions(text: string, needles: readonly string[]): boolean {
  return needles.some((needle) => needle !== '' && text.includes(needle))
}
