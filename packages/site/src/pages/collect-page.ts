import { buildHeadingCollector } from './build-heading-collector.ts'
import { decodeMarkdown, decodeReferences } from './decode-text.ts'
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

const LINK_ATTRIBUTES = new Set(['href', 'src', 'to', 'img', 'poster'])
const ID_ATTRIBUTES = new Set(['id', 'name', 'slug', 'anchor'])
const NAME_ATTRIBUTES = new Set(['title', 'label', 'header', 'heading', 'path', 'query', 'body'])
/** Mintlify's `ParamField` and `ResponseField` have the id `param-` and the parameter's name. */
const PARAMETER_ATTRIBUTES = new Set(['name', 'path', 'query', 'body', 'header'])
/** Matches imports of files, including all that may start with an alias. */
const IMPORT =
  /(?:^|[\s;}])(?:from|import)[ \t]{0,20}["']((?:\.{1,2}|[@~][\w-]{0,100}|\/snippets)\/[^"'\n?#!]{1,500})["']/g
const SCRIPT_SETUP = /^[ \t]{0,3}<script\b[^>]{0,200}\bsetup\b/i
const NOT_SHOWN = /^[ \t]{0,3}<(?:script|style|pre|textarea|template)\b/i

/**
 * Matches shortcodes and names of emoji. In a heading, they show an icon, which may not be part of
 * the id.
 */
const ICONS = /\{\{[<%][^{}]{0,500}[>%]\}\}|:[a-z][\w+-]{0,100}:/g

/** Collects a parsed page's links and ids in one pass over the parser's events. */
export function collectPage({ events, headingIds }: ParsedPage): CollectedPage {
  const links: PageLink[] = []
  const names: string[] = []
  const ids: string[] = [...headingIds]
  const media: { readonly kind: 'link' | 'image'; text: string }[] = []
  let definition = ''
  const headings = buildHeadingCollector()
  let open = false
  const addLink = (link: PageLink) => {
    if (links.length < MAX_LINKS && link.href.length <= 2_000) links.push(link)
  }
  const addImports = (code: string, line: number) => {
    const countTo = countLines(code, line)
    for (const match of code.matchAll(IMPORT)) {
      addLink({
        kind: 'import',
        href: dropEscapes(match[1] ?? ''),
        line: countTo(match.index + match[0].length - 1),
      })
    }
  }
  const addTags = (text: string, line: number) => {
    if (NOT_SHOWN.test(text)) {
      if (SCRIPT_SETUP.test(text)) addImports(text, line)
      return
    }
    const shown = text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ' '))
    const countTo = countLines(shown, line)
    const start = shown.slice(0, 2 * MAX_TEXT)
    for (const { name, value, at } of readAttributes(shown)) {
      if (value === null) {
        if (name === 'id' || name === 'name') open = true
        continue
      }
      const decoded = decodeReferences(value)
      if (ID_ATTRIBUTES.has(name) && ids.length < MAX_NAMES) ids.push(decoded)
      if (NAME_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(decoded)
      if (PARAMETER_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(`param-${decoded}`)
      if (isSrcset(name))
        for (const { href } of readSrcset(decoded)) addLink({ kind: 'attribute', href, line: countTo(at) })
      if (LINK_ATTRIBUTES.has(name) && isAddress(name, decoded)) {
        addLink({
          kind: 'attribute',
          text: start.replace(value, '').slice(0, MAX_TEXT),
          href: decoded,
          line: countTo(at),
        })
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
        addLink({
          ...(media.at(-1) ?? { kind: 'link' }),
          href: decodeMarkdown(context.sliceSerialize(token)),
          line,
        })
        break
      case 'definitionDestinationString':
        addLink({ kind: 'link', text: definition, href: decodeMarkdown(context.sliceSerialize(token)), line })
        break
      case 'htmlText':
        ids.push(...readComment(context.sliceSerialize(token), headings.isOpen()))
        addTags(context.sliceSerialize(token), line)
        break
      case 'htmlFlow':
        ids.push(...readComment(context.sliceSerialize(token), false))
        addTags(context.sliceSerialize(token), line)
        break
      case 'mdxJsxFlowTag':
      case 'mdxJsxTextTag':
        addTags(context.sliceSerialize(token), line)
        break
      case 'mdxjsEsm': {
        addImports(context.sliceSerialize(token), line)
        break
      }
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
 * Returns true if an attribute value is a URL. Attributes named `to` and `img` often contain other
 * values.
 */
function isAddress(name: string, value: string): boolean {
  if (value === '') return false
  if (name === 'to') return /^(?:\.{0,2}\/|#)/.test(value)
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
 * `{: #id .class }` and `{ id="id" }`.
 */
function toHeadingId(text: string): HeadingId {
  const match = /\{:?([^{}]{1,200})\}\s*$/.exec(text)
  if (match === null) return { text, ids: [] }
  const ids = Array.from(
    (match[1] ?? '').matchAll(/(?:^|\s)(?:#([^\s}]+)|id=(?:"([^"]*)"|([^\s"}]+)))/g),
    ([, short, quoted, bare]) => short ?? quoted ?? bare ?? '',
  )
  return { text: text.slice(0, match.index), ids }
}
