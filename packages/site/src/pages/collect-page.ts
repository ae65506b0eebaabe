import { buildHeadingCollector } from './build-heading-collector.ts'
import { buildOffsets } from './build-offsets.ts'
import { decodeMarkdown, decodeReferences } from './decode-text.ts'
import type { Dialect } from './dialect.ts'
import { dropEscapes } from './drop-escapes.ts'
import { foldAnchor } from './fold-anchor.ts'
import type { PageLink } from './page-content.ts'
import type { ParsedPage } from './parse-page.ts'
import { readAttributes } from './read-attributes.ts'
import { isSrcset, readSrcset } from './read-srcset.ts'

interface CollectedPage {
  readonly links: readonly PageLink[]
  /** Texts that frameworks turn into ids, such as headings. Repeated ones get numbered ids. */
  readonly names: readonly string[]
  /** Ids as written. */
  readonly ids: readonly string[]
  /** True if a name is computed by an expression, or if the page exceeds a limit. */
  readonly open: boolean
}

/** Maximum number of links per page. Further links, and names beyond `MAX_NAMES`, are ignored. */
export const MAX_LINKS = 20_000
const MAX_NAMES = 20_000
const MAX_TEXT = 100

/** Attributes whose value is a link destination. */
export const LINK_ATTRIBUTES = ['href', 'src', 'to', 'img', 'poster', 'link']
const ID_ATTRIBUTES = new Set(['id', 'name', 'slug', 'anchor'])
const NAME_ATTRIBUTES = new Set(['title', 'label', 'header', 'heading', 'path', 'query', 'body'])
/** Mintlify's `ParamField` and `ResponseField` have the id `param-` and the parameter's name. */
const PARAMETER_ATTRIBUTES = new Set(['name', 'path', 'query', 'body', 'header'])
/** Matches imports of files, including all that may start with an alias. */
const IMPORT =
  /(?:^|[\s;}])(?:from|import)[ \t]{0,20}["']((?:\.{1,2}|[@~][\w-]{0,100}|\/snippets)\/[^"'\n?#!]{1,500})["']/g
const REQUIRE = /\brequire\([ \t]{0,9}["']((?:\.{1,2}|[@~][\w-]{0,100})\/[^"'\n?#!]{1,500})["'][ \t]{0,9}\)/g
/** Matches a link that works only on the author's computer. */
export const LOCALHOST = /^https?:\/\/localhost:/i
const SCRIPT_SETUP = /^[ \t]{0,3}<script\b[^>]{0,200}\bsetup\b/i
const NOT_SHOWN = /^[ \t]{0,3}<(?:script|style|pre|textarea|template)\b/i

/**
 * Matches shortcodes and names of emoji. In a heading, they show an icon, which may not be part of
 * the id.
 */
const ICONS = /\{\{[<%][^{}]{0,500}[>%]\}\}|:[a-z][\w+-]{0,100}:/g

/** Collects a parsed page's links and ids in one pass over the parser's events. */
export function collectPage(text: string, dialect: Dialect, { events, headingIds }: ParsedPage): CollectedPage {
  const toOffset = buildOffsets(text, dialect)
  const links: PageLink[] = []
  const names: string[] = []
  const ids: string[] = [...headingIds]
  const media: { readonly kind: 'link' | 'image'; text: string }[] = []
  let definition = ''
  const headings = buildHeadingCollector()
  let open = false
  /** @param written the destination as written at the offset, unless the parser's input differs */
  const addLink = (link: PageLink, start: number, written: string) => {
    if (links.length >= MAX_LINKS || link.href.length > 2_000) return
    const end = start + written.length
    links.push(written !== '' && text.slice(start, end) === written ? { ...link, start, end } : link)
  }
  const addImports = (code: string, line: number, offset: number, pattern: RegExp) => {
    const countTo = countLines(code, line)
    for (const { 0: all, 1: written = '', index } of code.matchAll(pattern)) {
      const href = dropEscapes(written)
      const at = index + all.lastIndexOf(written)
      addLink({ kind: 'import', href, line: countTo(at) }, offset + at, written)
    }
  }
  const addTags = (tags: string, line: number, offset: number) => {
    const isHidden = NOT_SHOWN.test(tags)
    if (isHidden && SCRIPT_SETUP.test(tags)) addImports(tags, line, offset, IMPORT)
    addImports(tags, line, offset, REQUIRE)
    // The content of these elements is no markup, but they may have an id.
    const source = isHidden ? (/^[^>]{0,1000}/.exec(tags)?.[0] ?? '') : tags
    const shown = source.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ' '))
    const countTo = countLines(shown, line)
    const head = shown.slice(0, 2 * MAX_TEXT)
    for (const { name, value, at } of readAttributes(shown)) {
      if (value === null) {
        if (name === 'id' || name === 'name') open = true
        continue
      }
      const decoded = decodeReferences(value)
      const start = offset + shown.indexOf(value, at + name.length)
      if (ID_ATTRIBUTES.has(name) && ids.length < MAX_NAMES) ids.push(decoded)
      if (NAME_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(decoded)
      if (PARAMETER_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(`param-${decoded}`)
      if (isHidden) continue
      for (const image of isSrcset(name) ? readSrcset(value) : []) {
        const href = decodeReferences(image.href)
        addLink({ kind: 'attribute', href, line: countTo(at) }, start + image.at, image.href)
      }
      if (LINK_ATTRIBUTES.includes(name) && isAddress(name, decoded)) {
        const text = head.replace(value, '').slice(0, MAX_TEXT)
        addLink({ kind: 'attribute', text, href: decoded, line: countTo(at) }, start, value)
      }
    }
  }

  for (const event of events) {
    const [when, token, context] = event
    const heading = headings.take(event)
    if (heading !== null) {
      if (names.length >= MAX_NAMES) open = true
      else {
        const { text, ids: own } = toHeadingId(heading)
        // Equal forms would count as repeated headings, whose ids are numbered.
        const forms = [text, text.replace(ICONS, ''), ...own].map((form) => [foldAnchor(form), form] as const)
        names.push(...new Map(forms).values())
      }
    }
    // MDX adds token types.
    const type: string = token.type
    const line = token.start.line
    if (when === 'exit') {
      if (type === 'link' || type === 'image') media.pop()
      continue
    }
    switch (type) {
      case 'link':
      case 'image':
        media.push({ kind: type, text: '' })
        break
      case 'labelText': {
        const own = media.at(-1)
        if (own?.text === '') own.text = context.sliceSerialize(token).slice(0, MAX_TEXT)
        break
      }
      case 'definitionLabelString':
        definition = context.sliceSerialize(token).slice(0, MAX_TEXT)
        break
      case 'resourceDestinationString':
      case 'definitionDestinationString': {
        const written = context.sliceSerialize(token)
        const isDefinition = type === 'definitionDestinationString'
        const own = isDefinition ? { kind: 'link' as const, text: definition } : (media.at(-1) ?? { kind: 'link' })
        addLink({ ...own, href: decodeMarkdown(written), line }, toOffset(token.start), written)
        break
      }
      case 'autolinkProtocol':
      case 'literalAutolinkHttp': {
        const href = context.sliceSerialize(token)
        if (LOCALHOST.test(href)) addLink({ kind: 'link', href, line }, toOffset(token.start), href)
        break
      }
      case 'htmlText':
        ids.push(...readComment(context.sliceSerialize(token), headings.isOpen()))
        addTags(context.sliceSerialize(token), line, toOffset(token.start))
        break
      case 'htmlFlow':
        ids.push(...readComment(context.sliceSerialize(token), false))
        addTags(context.sliceSerialize(token), line, toOffset(token.start))
        break
      case 'mdxJsxFlowTag':
      case 'mdxJsxTextTag':
        addTags(context.sliceSerialize(token), line, toOffset(token.start))
        break
      case 'mdxjsEsm':
        addImports(context.sliceSerialize(token), line, toOffset(token.start), IMPORT)
        addImports(context.sliceSerialize(token), line, toOffset(token.start), REQUIRE)
        break
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        addImports(context.sliceSerialize(token), line, toOffset(token.start), REQUIRE)
        break
      default:
    }
    if (headings.isOpen() && type.startsWith('mdx') && type.endsWith('Expression')) open = true
  }
  return { links, names, ids, open: open || links.length === MAX_LINKS }
}

/**
 * Returns the words of a comment in a heading, or of one with a directive such as
 * `<!-- md:option name -->`. A build script may create an id from one of them.
 */
function readComment(text: string, isHeading: boolean): string[] {
  if (!text.startsWith('<!--') || !(isHeading || /^<!--[ \t]*\w{1,50}:\w/.test(text))) return []
  return text
    .slice(4, 200)
    .split(/\s+/)
    .filter((word) => /^[\w.:-]*\w$/.test(word))
}

/**
 * Returns true if an attribute value is a URL. Attributes named `to`, `link` and `img` often contain
 * other values.
 */
function isAddress(name: string, value: string): boolean {
  if (value === '') return false
  if (name === 'to' || name === 'link') return /^(?:\.{0,2}\/|#)/.test(value)
  return name !== 'img' || /[/.]/.test(value)
}

/**
 * Returns a function that maps offsets to line numbers. Offsets must be ascending, so that each
 * line is counted once.
 */
function countLines(text: string, first: number): (offset: number) => number {
  let line = first
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line += 1
    return line
  }
}

/** A heading's text without the attributes at its end, and the ids that these define. */
interface HeadingId {
  readonly text: string
  readonly ids: readonly string[]
}

/**
 * Splits off the attributes that plain Markdown keeps in a heading's text: `{#id}`,
 * `{: #id .class }` and `{ id="id" }`, and `[#id]` of Nextra and Fern.
 */
function toHeadingId(text: string): HeadingId {
  const match = /(?:\{:?([^{}]{1,200})\}|\[(#[^\]\s]{1,200})\])\s*$/.exec(text)
  if (match === null) return { text, ids: [] }
  const ids = Array.from(
    (match[1] ?? match[2] ?? '').matchAll(/(?:^|\s)(?:#([^\s}]+)|id=(?:"([^"]*)"|([^\s"}]+)))/g),
    ([, short, quoted, bare]) => short ?? quoted ?? bare ?? '',
  )
  return { text: text.slice(0, match.index), ids }
}
