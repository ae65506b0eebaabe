import { resolvePageLink } from '../links/resolve-page-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { Heading } from '../pages/find-headings.ts'
import { PAGE } from '../pages/paths.ts'
import type { LinkSpan, PageLayout } from '../pages/read-layout.ts'
import { type Comparison, toText } from './comparison.ts'
import type { HeadingRename } from './heading-rename.ts'
import { renameAnchor } from './rename-anchor.ts'
import { toPlace } from './retarget-link.ts'
import { toLinkKey } from './rewrite-links.ts'

/**
 * Compares the pages that link from or to the moved files, and the written pages. Every link that
 * resolves to a file must resolve to the same file afterwards, unless the plan reports it. All
 * other text must not change. Returns the first unintended difference in each page.
 */
export async function comparePages(comparison: Comparison): Promise<readonly string[]> {
  const { change, repository } = comparison
  const written = [...change.writes.keys()].filter((path) => PAGE.test(path))
  const moved = [...change.moves.keys()].filter((path) => repository.scans.has(path))
  // Removing entries from Markdown navigation also removes their links.
  const shortened = new Set(
    [...change.entries].flatMap(([key, text]) => (text === null ? [key.slice(key.indexOf(':') + 1)] : [])),
  )
  const differences: string[] = []
  const pages = new Set([...change.pages, ...written, ...moved])
  await repository.load(pages)
  for (const page of pages) {
    const found = shortened.has(page) ? null : await comparePage(comparison, page)
    if (found !== null) differences.push(`${page}: ${found}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return differences
}

async function comparePage(comparison: Comparison, page: string): Promise<string | null> {
  const { after, change, repository, toPath } = comparison
  const newPage = toPath(page)
  if (newPage === null) return null
  const bytes = change.writes.get(page)
  if (!repository.scans.has(page)) return bytes === undefined ? null : 'a page that cannot be read would be written'
  const old = repository.textOf(page)
  const now = bytes === undefined ? old : toText(bytes)
  const links = repository.findSpans(page)
  // The plan reports pages that do not parse.
  if (links === null) return now === old ? null : 'a page that does not parse would be written'
  const layout =
    now === old && newPage === page ? null : await repository.parse(after, newPage, bytes ?? repository.bytesOf(page))
  const planned = now === old && newPage === page ? links : layout?.spans
  if (planned === undefined) return 'the page would no longer parse'
  const renamed = findRenamed(comparison, page, now, layout)
  if (typeof renamed === 'string') return renamed
  if (links.length !== planned.length) return `there would be ${planned.length} instead of ${links.length} links`
  const parts = (text: string, spans: readonly Span[]) => {
    const sorted = spans.toSorted((a, b) => a.start - b.start)
    return [...sorted, null].map((span, i) => text.slice(sorted[i - 1]?.end ?? 0, span?.start ?? text.length))
  }
  const others = parts(now, [...planned, ...findEntrySpans(after, newPage, planned), ...renamed.after])
  const own = [...links, ...findEntrySpans(comparison.before, page, links), ...renamed.before]
  if (now !== old && parts(old, own).some((part, i) => part !== others[i])) return 'other text would change'
  for (const [i, span] of links.entries()) {
    const found = compareLink(comparison, page, newPage, span, planned[i]?.href ?? '')
    if (found !== null) return found
  }
  return null
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the navigation entries in a page that are not links, as in a `toctree`. */
function findEntrySpans({ sites }: SiteIndex, page: string, links: readonly Span[]): Span[] {
  const entries = sites.flatMap(({ navigation }) => navigation.entries.filter(({ file }) => file === page))
  return entries.filter(({ start }) => !links.some((link) => link.start <= start && start < link.end))
}

/**
 * Returns the position of the renamed heading in the page before and after the change, or the first
 * unintended difference in the page's headings. Empty for other pages.
 */
function findRenamed(
  { change }: Comparison,
  page: string,
  now: string,
  layout: PageLayout | null,
): { before: readonly Span[]; after: readonly Span[] } | string {
  const { heading } = change
  if (heading?.page !== page) return { before: [], after: [] }
  if (layout === null) return 'the heading would not be renamed'
  const found = layout.headings
  const different = compareHeadings(heading, found.headings)
  if (different !== null) return different
  const start = found.headings[heading.index]?.start ?? 0
  const end = start + heading.written.length
  if (now.slice(start, end) !== heading.written) return 'the heading would have a different text'
  return { before: heading.before.slice(heading.index, heading.index + 1), after: [{ start, end }] }
}

function compareLink(
  { before, after, change, toPath }: Comparison,
  page: string,
  newPage: string,
  span: LinkSpan,
  link: string,
): string | null {
  const { href, start } = span
  const [target] = resolvePageLink(before, page, span).paths
  const expected = target === undefined ? null : toPath(target)
  const suffix = (text: string) => /[?#].*$/s.exec(text)?.[0] ?? ''
  const isLost = change.lostLinks.has(toLinkKey(page, start))
  const renamed = change.heading === undefined ? null : renameAnchor(before, page, span, change.heading)
  const place = toPlace(page, href)
  const isRebased = expected === null && place !== null && toPlace(newPage, link) === place
  if (isRebased && suffix(link) === suffix(href)) return null
  if (renamed === null ? link !== href && (expected === null || suffix(link) !== suffix(href)) : link !== renamed) {
    if (renamed === null || link !== href || !isLost) return `the link ${href} would become ${link}`
  }
  if (expected === null || (link === href && isLost)) return null
  const [reached] = resolvePageLink(after, newPage, { ...span, href: link }).paths
  if (reached === expected) return null
  // Entries of Markdown navigation are links, too.
  const isEntry = [...change.lostEntries].some((key) => key.endsWith(`:${toLinkKey(page, start)}`))
  return isEntry ? null : `the link ${link} would lead to ${reached ?? 'no page'}, not ${expected}`
}

/**
 * Compares the headings of a page with those before one of them was renamed, and with the planned
 * ones. Only that heading's text and id may differ. Returns the first unintended difference, or
 * null.
 */
export function compareHeadings({ before, after, index, text }: HeadingRename, now: readonly Heading[]): string | null {
  if (now.length !== before.length) return `there would be ${now.length} instead of ${before.length} headings`
  for (const [i, heading] of before.entries()) {
    const [planned, found] = [after[i], now[i]]
    const expected = i === index ? { level: heading.level, id: planned?.id, text } : heading
    const isSame = (['level', 'id', 'text'] as const).every((key) => found?.[key] === expected[key])
    if (!isSame) return `the heading ${JSON.stringify(heading.text)} would become ${JSON.stringify(found?.text)}`
  }
  return null
}
