import { resolvePageLink } from '../links/resolve-page-link.ts'
import type { LinkSpan } from '../pages/read-layout.ts'
import { encodeText } from '../workspace/text-file.ts'
import { buildMention } from './build-mention.ts'
import { MoveError } from './move-error.ts'
import type { MoveInput } from './move-input.ts'
import type { Repository } from './read-repository.ts'
import { rebaseLink, retargetLink, toPlace } from './retarget-link.ts'

/** Matches links to files, which start at the folder of the page in all frameworks. */
const FILE = /\.(?:mdx?|markdown|png|jpe?g|gif|svg|webp)(?:[?#]|$)/i

interface RewriteResult {
  /** Number of rewritten links per file, keyed by the path before the move. */
  readonly counts: ReadonlyMap<string, number>
  /** New destinations of rewritten links, keyed by {@link toLinkKey}. */
  readonly links: ReadonlyMap<string, string>
  /** Links to review manually, as `path:line: link` with a reason. */
  readonly left: readonly string[]
  /** The links in `left`, keyed by {@link toLinkKey}. */
  readonly lost: ReadonlySet<string>
  /** The pages with links from or to the moved files, before or after the move. */
  readonly pages: readonly string[]
}

/** Identifies a link by its page and position before the change. */
export const toLinkKey = (page: string, start: number): string => `${start}:${page}`

/**
 * Maximum number of characters parsed per move or deletion. Parsing takes 2 s of CPU per million.
 */
export const MAX_CHARS = 10_000_000

/**
 * Rewrites links to moved files and relative links in moved pages. Edits are recorded in the
 * drafts. No file is written.
 * @throws MoveError if the pages that may link to the files contain too much text
 */
export async function rewriteLinks(input: MoveInput): Promise<RewriteResult> {
  const { repository, after, moves, drafts } = input
  const before = repository.index
  const mention = buildMention({ index: before, paths: moves.keys() }, { index: after, paths: moves.values() })
  const counts = new Map<string, number>()
  const rewritten = new Map<string, string>()
  const left: string[] = []
  const lost = new Set<string>()
  const pages = [...repository.scans].filter(([page, scan]) => moves.has(page) || mention(page, scan))
  const chars = pages.reduce((sum, [, scan]) => sum + scan.chars, 0)
  if (chars > MAX_CHARS) {
    throw new MoveError(
      `Nothing was moved: ${pages.length} pages may link to the moved files, and their ${chars} characters exceed the limit of ${MAX_CHARS}. Move fewer files at a time.`,
    )
  }
  await repository.load(pages.map(([page]) => page))
  for (const [page] of pages) {
    const text = repository.textOf(page)
    const spans = repository.findSpans(page)
    if (spans === null) {
      left.push(`${page}: the page does not parse, so its links were not checked`)
      continue
    }
    const newPage = moves.get(page) ?? page
    const links = new Map<string, string>()
    const edits: { start: number; end: number; replacement: string }[] = []
    for (const span of await findCurrentSpans(repository, page, spans, (await drafts.find(page))?.text)) {
      const { href, start, end, key } = span
      const found = resolvePageLink(before, page, span)
      // A build may create the file that a relative link of the page names.
      const isPlace = span.notation === undefined ? FILE.test(href) : found.verdict === 'no'
      const target = found.paths[0] ?? (isPlace && moves.size === 1 && newPage !== page ? toPlace(page, href) : null)
      if (target === null || found.kind === 'page' || (!moves.has(target) && newPage === page)) continue
      // An absolute link to a page that does not move stays as it is, even if it is an alias.
      const isKept = !moves.has(target) && /^(?:\/|@site\/)/.test(href)
      if (isKept && resolvePageLink(after, newPage, span).paths[0] === target) continue
      const newTarget = moves.get(target) ?? target
      const link =
        found.paths.length > 0
          ? retargetLink({ before, after, page, newPage, link: span, target, newTarget })
          : rebaseLink(newPage, href, target)
      if (link === href) continue
      const line = text.slice(0, span.original).split('\n').length
      if (link === null)
        left.push(`${newPage}:${line}: ${clip(href)} (a link of this form cannot point to the new path)`)
      else if (span.written !== href && /[\\&]/.test(span.written)) {
        left.push(`${newPage}:${line}: ${clip(href)} (the link contains escapes; change it to ${link})`)
      } else {
        edits.push({ start, end, replacement: link })
        links.set(key, link)
        continue
      }
      lost.add(key)
    }
    if (edits.length > 0) {
      const why = input.explain(page)
      if (why === null) {
        await drafts.splice(page, edits)
        counts.set(page, edits.length)
        for (const [key, link] of links) rewritten.set(key, link)
      } else {
        left.push(`${page}: ${edits.length} ${edits.length === 1 ? 'link' : 'links'} (${why})`)
        for (const { start } of spans) lost.add(toLinkKey(page, start))
      }
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { counts, links: rewritten, left, lost, pages: pages.map(([page]) => page) }
}

interface CurrentSpan extends LinkSpan {
  readonly written: string
  /** Offset before the navigation was changed. */
  readonly original: number
  readonly key: string
}

/**
 * Returns the links of a page in its pending text. In Markdown navigation (`SUMMARY.md`), the
 * renamed entries no longer resolve to the old paths.
 */
async function findCurrentSpans(
  repository: Repository,
  page: string,
  spans: readonly LinkSpan[],
  current: string | undefined,
): Promise<CurrentSpan[]> {
  const text = repository.textOf(page)
  if (current === undefined || current === text) {
    return spans.map((span) => ({
      ...span,
      written: text.slice(span.start, span.end),
      original: span.start,
      key: toLinkKey(page, span.start),
    }))
  }
  const now = (await repository.parse(repository.index, page, encodeText(current)))?.spans ?? []
  if (now.length !== spans.length) return []
  return spans.flatMap(({ start: original }, i) => {
    const span = now[i]
    if (span === undefined) return []
    return [{ ...span, written: current.slice(span.start, span.end), original, key: toLinkKey(page, original) }]
  })
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
