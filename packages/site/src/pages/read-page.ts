import { decodeText } from '../workspace/text-file.ts'
import { collectComponents } from './collect-components.ts'
import { collectImports } from './collect-imports.ts'
import { collectPage, MAX_LINKS } from './collect-page.ts'
import { type Dialect, isMdx } from './dialect.ts'
import { findAttributeIds } from './find-attribute-ids.ts'
import { findBlockNames, toOtherNames } from './find-block-names.ts'
import { findBlockProblems } from './find-block-problems.ts'
import { findCodeLines } from './find-code-lines.ts'
import { findFrontmatterProblems } from './find-frontmatter-problems.ts'
import { findHiddenLines } from './find-hidden-lines.ts'
import { findIdSources } from './find-id-sources.ts'
import { findIncludes } from './find-includes.ts'
import { findLabels } from './find-labels.ts'
import { findOpenBlocks } from './find-open-blocks.ts'
import { findPlacedLinks } from './find-placed-links.ts'
import { findReferences } from './find-references.ts'
import { findUsedShortcodes } from './find-used-shortcodes.ts'
import { foldAnchor, foldAscii } from './fold-anchor.ts'
import { hasMoreAnchors } from './has-more-anchors.ts'
import type { HidingForm } from './hiding-form.ts'
import { buildUnread, type PageContent, type PageLink } from './page-content.ts'
import type { ParsedPage } from './parse-page.ts'
import { readPageFacts } from './read-page-facts.ts'
import { readSyntax } from './read-syntax.ts'

/**
 * Maximum page size. Larger pages are not parsed, because parsing takes about 2 s of CPU per MB.
 */
export const MAX_PAGE_BYTES = 1_048_576

/** Matches expressions, which add no headings in some frameworks. */
const TEMPLATE = /\{\{[^{}\n]{0,500}\}\}/g

/**
 * Reads all page data that the checks need. Synchronous CPU work, about 2 s per MB. Never throws.
 * If the page cannot be read, `unread` contains the reason.
 */
export function readPage(bytes: Uint8Array, dialect: Dialect): PageContent {
  return readParsedPage(bytes, dialect).content
}

interface PageReadResult {
  readonly content: PageContent
  /** With LF line endings and no byte order mark. */
  readonly text: string
  /** Null if the page does not parse. */
  readonly page: ParsedPage | null
}

/** Reads the page data, and also returns the parsed page. */
export function readParsedPage(bytes: Uint8Array, dialect: Dialect): PageReadResult {
  const fail = (reason: string) => ({ content: buildUnread(reason), text: '', page: null })
  if (bytes.length > MAX_PAGE_BYTES) return fail('it is larger than 1 MB')
  const file = decodeText(bytes)
  if (typeof file === 'string') return fail('it is not UTF-8 text')
  const { text } = file
  const frontmatter = findFrontmatterProblems(text)
  // An unclosed block is parsed as page text, which would report the same problem a second time
  // under a different name.
  const unclosed = frontmatter.some((problem) => problem.code === 'frontmatter_unclosed')
  const facts = frontmatter.length > 0 ? null : readPageFacts(text)
  const { problems, page, unread } = readSyntax(text, dialect)
  if (page === null) {
    const own = unclosed ? frontmatter : [...frontmatter, ...problems]
    return { content: { ...buildUnread(unread ?? 'it does not parse', own), facts }, text, page }
  }
  const { links, names, ids, open } = collectPage(page)
  const sources = dialect === 'plain' ? [] : findIdSources(text)
  const blocks = problems.length > 0 ? [] : findBlockProblems(page.events, text.trimEnd().split('\n').length)
  const isCode = findCodeLines(page.events)
  const isInside = findCodeLines(page.events, true)
  const placed = findPlacedLinks(text, isInside).map(
    ({ kind, form, href, line }): PageLink => ({ kind, notation: form, href, line }),
  )
  const includes = findIncludes(text, isInside)
  const labels = findLabels(page.events)
  const isPlain = dialect === 'plain'
  const titled = [...names, ...(facts?.title == null ? [] : [facts.title]), ...(isPlain ? findBlockNames(text) : [])]
  const written = [...ids, ...(isMdx(dialect) ? [] : findAttributeIds(text))]
  const hidden: ReadonlyMap<number, HidingForm> = dialect === 'plain' ? findHiddenLines(text) : new Map()
  const isUnknown = open || problems.length > 0 || sources === null
  const hasMore = hasMoreAnchors(text, dialect)
  const content: PageContent = {
    problems: unclosed ? frontmatter : [...frontmatter, ...problems, ...blocks],
    links: [...links, ...findReferences(text), ...includes, ...placed]
      .slice(0, MAX_LINKS)
      .map((link) => toHidden(link, hidden.get(link.line))),
    anchors: toAnchors(titled, [...written, ...(isPlain ? [...titled, ...written].flatMap(toOtherNames) : [])]),
    moreAnchors: isUnknown || hasMore,
    onlyTemplates: isPlain && hasMore && !isUnknown && !hasMoreAnchors(text.replace(TEMPLATE, ''), dialect),
    idSources: sources ?? [],
    idIncludes: isMdx(dialect)
      ? []
      : [...includes.filter(({ form, line }) => form !== 'code' && !isInside(line)), ...findUsedShortcodes(text)],
    openBlocks: problems.length > 0 ? [] : findOpenBlocks(text, isCode),
    definitions: labels.definitions,
    undefinedLabels: problems.length > 0 ? [] : labels.undefined,
    components: problems.length > 0 ? [] : collectComponents(page.events),
    imports: collectImports(page.events),
    facts,
    unread: null,
  }
  return { content, text, page }
}

function toHidden(link: PageLink, hiding: HidingForm | undefined): PageLink {
  return hiding === undefined ? link : { ...link, hiding }
}

/**
 * Returns both folded forms of names and ids. For repeated names, also returns the numbered forms
 * that distinguish them, as for headings without ASCII letters, which some frameworks only number.
 */
function toAnchors(names: readonly string[], ids: readonly string[]): string[] {
  const toForms = (name: string) => new Set([foldAnchor(name), foldAscii(name)])
  const found = new Map<string, number>()
  for (const name of names) for (const folded of toForms(name)) found.set(folded, (found.get(folded) ?? 0) + 1)
  const anchors = new Set<string>(ids.flatMap((id) => [...toForms(id)]))
  for (const [folded, count] of found) {
    anchors.add(folded)
    for (let n = 1; n <= count && (count > 1 || folded === ''); n += 1) anchors.add(`${folded}${n}`)
  }
  return [...anchors]
}
