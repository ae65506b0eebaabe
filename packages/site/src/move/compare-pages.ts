import { resolveLink } from '../links/resolve-link.ts'
import type { LinkSpan } from '../pages/find-link-spans.ts'
import { PAGE } from '../pages/paths.ts'
import { type Comparison, toText } from './comparison.ts'
import { findPageSpans } from './read-repository.ts'
import { toLinkKey } from './rewrite-links.ts'

/**
 * Compares the pages that link from or to the moved files, and the written pages. Every link that
 * resolves to a file must resolve to the same file afterwards, unless the plan reports it. All
 * other text must not change. Returns the first unintended difference in each page.
 */
export async function comparePages(comparison: Comparison): Promise<readonly string[]> {
  const { change, repository } = comparison
  const written = [...change.writes.keys()].filter((path) => PAGE.test(path))
  const moved = [...change.moves.keys()].filter((path) => repository.texts.has(path))
  // Removing entries from Markdown navigation also removes their links.
  const shortened = new Set(
    [...change.entries].flatMap(([key, text]) => (text === null ? [key.slice(key.indexOf(':') + 1)] : [])),
  )
  const differences: string[] = []
  for (const page of new Set([...change.pages, ...written, ...moved])) {
    const found = shortened.has(page) ? null : comparePage(comparison, page)
    if (found !== null) differences.push(`${page}: ${found}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return differences
}

function comparePage(comparison: Comparison, page: string): string | null {
  const { after, change, repository, toPath } = comparison
  const old = repository.texts.get(page)
  const newPage = toPath(page)
  if (newPage === null) return null
  const bytes = change.writes.get(page)
  if (old === undefined) return bytes === undefined ? null : 'a page that cannot be read would be written'
  const now = bytes === undefined ? old : toText(bytes)
  const links = repository.findSpans(page)
  // The plan reports pages that do not parse.
  if (links === null) return now === old ? null : 'a page that does not parse would be written'
  const planned = now === old && newPage === page ? links : findPageSpans(after, newPage, now)
  if (planned === null) return 'the page would no longer parse'
  if (links.length !== planned.length) return `there would be ${planned.length} instead of ${links.length} links`
  const parts = (text: string, spans: readonly LinkSpan[]) =>
    [...spans, null].map((span, i) => text.slice(spans[i - 1]?.end ?? 0, span?.start ?? text.length))
  const others = parts(now, planned)
  if (now !== old && parts(old, links).some((part, i) => part !== others[i])) return 'other text would change'
  for (const [i, span] of links.entries()) {
    const found = compareLink(comparison, page, newPage, span, planned[i]?.href ?? '')
    if (found !== null) return found
  }
  return null
}

function compareLink(
  { before, after, change, toPath }: Comparison,
  page: string,
  newPage: string,
  { href, start }: LinkSpan,
  link: string,
): string | null {
  const [target] = resolveLink(before, page, href).paths
  const expected = target === undefined ? null : toPath(target)
  const suffix = (text: string) => /[?#].*$/s.exec(text)?.[0] ?? ''
  if (link !== href && (expected === null || suffix(link) !== suffix(href)))
    return `the link ${href} would become ${link}`
  if (expected === null || (link === href && change.lostLinks.has(toLinkKey(page, start)))) return null
  const [reached] = resolveLink(after, newPage, link).paths
  if (reached === expected) return null
  // Entries of Markdown navigation are links, too.
  const isEntry = [...change.lostEntries].some((key) => key.endsWith(`:${toLinkKey(page, start)}`))
  return isEntry ? null : `the link ${link} would lead to ${reached ?? 'no page'}, not ${expected}`
}
