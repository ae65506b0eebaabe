import { decodeText } from '../workspace/text-file.ts'
import { collectComponents } from './collect-components.ts'
import { collectImports } from './collect-imports.ts'
import { collectPage, MAX_LINKS } from './collect-page.ts'
import { type Dialect, isMdx, isPlain, isVue } from './dialect.ts'
import { dropCodeFences } from './drop-code-fences.ts'
import { findAttributeIds } from './find-attribute-ids.ts'
import { findBlockProblems } from './find-block-problems.ts'
import { findCodeLines } from './find-code-lines.ts'
import { findFrontmatterProblems } from './find-frontmatter-problems.ts'
import { findLabels } from './find-labels.ts'
import { dropIncludes, findNotations } from './find-notations.ts'
import { findOpenBlocks } from './find-open-blocks.ts'
import { dropShortcodes, findUsedShortcodes } from './find-used-shortcodes.ts'
import { foldAnchor, foldAscii } from './fold-anchor.ts'
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
  const { links, names, ids, open } = collectPage(text, dialect, page)
  const sources = isPlain(dialect) ? [] : findIdSources(text)
  const blocks = problems.length > 0 ? [] : findBlockProblems(page.events, text.trimEnd().split('\n').length)
  const isInside = findCodeLines(page.events, true)
  const placed = findNotations(text, isInside).map(
    ({ kind, notation, href, line, start, end }): PageLink => ({ kind, notation, href, line, start, end }),
  )
  const labels = findLabels(page.events)
  const titled = [
    ...names,
    ...(facts?.title == null ? [] : [facts.title]),
    ...(isPlain(dialect) ? findBlockNames(text) : []),
  ]
  const written = [...ids, ...(isMdx(dialect) ? [] : findAttributeIds(text))]
  const hidden: ReadonlyMap<number, HidingForm> = isPlain(dialect) ? findHiddenLines(text) : new Map()
  const isUnknown = open || problems.length > 0 || sources === null
  const hasMore = hasMoreAnchors(text, dialect)
  const content: PageContent = {
    problems: unclosed ? frontmatter : [...frontmatter, ...problems, ...blocks],
    links: [...links, ...placed].slice(0, MAX_LINKS).map((link) => toHidden(link, hidden.get(link.line))),
    anchors: toAnchors(titled, [
      ...written,
      ...(isPlain(dialect) ? [...titled, ...written].flatMap(toOtherNames) : []),
    ]),
    moreAnchors: isUnknown || hasMore,
    onlyTemplates: isPlain(dialect) && hasMore && !isUnknown && !hasMoreAnchors(text.replace(TEMPLATE, ''), dialect),
    idSources: sources ?? [],
    idIncludes: isMdx(dialect)
      ? []
      : [...placed.filter((link) => mayAddIds(link) && !isInside(link.line)), ...findUsedShortcodes(text)],
    openBlocks: problems.length > 0 ? [] : findOpenBlocks(text, dialect, page),
    definitions: labels.definitions,
    undefinedLabels: problems.length > 0 ? [] : labels.undefined,
    components: problems.length > 0 ? [] : collectComponents(page.events),
    imports: collectImports(page.events),
    facts,
    unread: null,
  }
  return { content, text, page }
}

const mayAddIds = ({ kind, notation }: PageLink): boolean => kind === 'include' && notation !== 'code'

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

const SUMMARY = /<summary[^<>\n]{0,200}>((?:[^<]|<(?!\/?summary)){1,2000})<\/summary>/gi
const TAB = /\{%[ \t]{0,9}tab[ \t]{1,9}title="([^"\n]{1,300})"/g
const TAG = /<\/?[a-z][^<>]{0,500}>/gi

/**
 * Returns the titles of expandable blocks and tabs in plain Markdown, whose ids GitBook creates.
 */
function findBlockNames(text: string): string[] {
  return [...text.matchAll(SUMMARY), ...text.matchAll(TAB)].map(([, title = '']) => title.replace(TAG, '').trim())
}

/** Returns other forms of a name. GitBook writes `and` for `&`, and starts ids with a letter. */
function toOtherNames(name: string): string[] {
  const words = name.replaceAll('&', ' and ')
  const forms = /^\s{0,5}\d/.test(words) ? [words, `id ${words}`] : [words]
  return forms.filter((form) => form !== name)
}

/**
 * Matches the start or end of a shortcode whose content is code, but not a shortcode without
 * content.
 */
const CODE = /\{\{<[ \t]*(?:(\/)[ \t]*)?((?:\w+-)?code(?:-\w+)?|highlight)\b[^{}\n]{0,500}(?<!\/)>\}\}/g

/** Returns the lines (1-based) that some frameworks do not show as Markdown. */
function findHiddenLines(text: string): ReadonlyMap<number, HidingForm> {
  const found = new Map<number, HidingForm>()
  if (!/^%|\{\{</m.test(text)) return found
  const closed = new Set(Array.from(text.matchAll(/\/([\w-]+) >\}\}/g), ([, name]) => name))
  let open: string | null = null
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('%')) found.set(at + 1, 'percent')
    if (open !== null) found.set(at + 1, 'shortcode')
    for (const [, slash, name = ''] of line.matchAll(CODE)) {
      if (slash === '/') open = open === name ? null : open
      else if (open === null && closed.has(name)) open = name
    }
  }
  return found
}

/**
 * Matches imports of components from the repository. Components from packages and the framework
 * (`@theme/…`) only render the content between their tags.
 */
const IMPORT =
  /^[ \t]*import[ \t]{1,20}(?:\*[ \t]{1,20}as[ \t]{1,20})?(\{?[^'"\n]{1,500}?)[ \t]from[ \t]{0,20}["']((?:\.{0,2}\/|@site\/|@\/|~[\w-]{0,100}\/)[^'"\n]{1,500})["']/gm
const MAX_SOURCES = 50

/**
 * Returns the imported files whose components a page uses. They may add ids to the page. Returns
 * null if there are too many.
 */
function findIdSources(text: string): string[] | null {
  const sources = new Set<string>()
  const shown = dropCodeFences(text)
  for (const [, names = '', href = ''] of shown.matchAll(IMPORT)) {
    const isUsed = names
      .match(/[A-Z]\w*/g)
      ?.some((name) => shown.includes(`<${name}`) || shown.includes(`<${toTag(name)}`))
    if (isUsed) sources.add(href)
    if (sources.size > MAX_SOURCES) return null
  }
  return [...sources]
}

/** Vue also accepts `<my-card>` for `MyCard`. */
function toTag(name: string): string {
  return name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}

/**
 * Matches includes and macros of MkDocs, VitePress, mdBook, Jekyll and others, and generated API
 * references.
 */
const INCLUDES =
  /--8<--|<!--[ \t]{0,5}@include|\{\{|\{%|\[\[include|^!?include::|^:::[ \t]{0,5}[\w-]{1,80}\.[\w.-]{1,200}[ \t]*$|<Snippet\b|<Include\b|<Content\b|<!--[ \t]{0,5}(?:all-contributors|auto|begin|start)/im
/**
 * Matches scripts in pages that import a component from the repository. Other scripts add no ids.
 */
const SCRIPT_IMPORT = /\bimport\b[^\n'"]{0,500}["'](?:\.{1,2}\/|\/|@\/|~)/
/** Matches inline code, in which includes have no effect or only insert code. */
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)[^`\n]{1,500}\1(?!`)/g
/** Matches blocks of GitBook and Jekyll that contribute only the text between their tags. */
const TEXT_BLOCKS =
  /\{%-?[ \t]{0,9}(?:end)?(?:hint|stepper|step|tabs?|code|embed|content-ref|file|columns?|prompt|if|elsif|else|raw)\b[^{}\n]{0,500}%\}/g
/** Matches headings whose ids depend on a shortcode or an expression. */
const COMPUTED_HEADING = /^[ \t>]{0,20}#{1,6}[ \t](?![^\n]{0,1000}\{#)[^\n]{0,1000}\{[{%]/m
/** Matches expressions in headings, which Vue also evaluates in inline code. */
const VUE_HEADING = /^[ \t>]{0,20}#{1,6}[ \t][^\n]{0,2000}\{\{/m
/**
 * Matches expressions in HTML headings, HTML that an expression inserts, and components that are
 * loaded.
 */
const VUE_IDS = /<h[1-6]\b(?:(?!<h[1-6]\b)[^\n])*\{\{|\bv-html\b|\bimport[ \t]{0,5}\(/i

/**
 * Returns true if a page may have headings or ids that neither its text nor the files in
 * `findIdIncludes` contain. Imported components count only in plain Markdown.
 */
function hasMoreAnchors(text: string, dialect: Dialect): boolean {
  const shown = dropCodeFences(text)
  if (isMdx(dialect)) return /<Snippet\b|<Include\b|<Markdown\b|<!--[ \t]{0,5}include/i.test(shown)
  const written = shown.replace(INLINE_CODE, '')
  if (isVue(dialect))
    return VUE_HEADING.test(shown) || VUE_IDS.test(written) || INCLUDES.test(dropIncludes(written).replaceAll('{{', ''))
  if (/<script\b/i.test(written) && SCRIPT_IMPORT.test(written)) return true
  if (COMPUTED_HEADING.test(written)) return true
  return INCLUDES.test(dropShortcodes(dropIncludes(written)).replace(TEXT_BLOCKS, ''))
}
