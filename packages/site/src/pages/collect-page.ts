import { decodeMarkdown, decodeReferences } from './decode-text.ts'
import type { PageLink } from './page-content.ts'
import type { ParsedPage, ParserEvent } from './parse-page.ts'
import { readAttributes } from './read-attributes.ts'

export interface CollectedPage {
  readonly links: readonly PageLink[]
  /** Heading text and ids, as written. */
  readonly names: readonly string[]
  /** True if a name is computed by an expression, or if the page exceeds a limit. */
  readonly open: boolean
}

/** Maximum number of links per page. Further links, and names beyond `MAX_NAMES`, are ignored. */
export const MAX_LINKS = 20_000
const MAX_NAMES = 20_000

const LINK_ATTRIBUTES = new Set(['href', 'src', 'to', 'img', 'poster'])
const ID_ATTRIBUTES = new Set([
  'id',
  'name',
  'title',
  'label',
  'header',
  'heading',
  'path',
  'query',
  'body',
  'slug',
  'anchor',
])
/** Mintlify's `ParamField` and `ResponseField` have the id `param-` and the parameter's name. */
const PARAMETER_ATTRIBUTES = new Set(['name', 'path', 'query', 'body', 'header'])
/** Matches imports of assets and pages. Package names and aliases cannot be checked. */
const IMPORT =
  /(?:^|[\s;}])(?:from|import)[ \t]{0,20}["']((?:\.{1,2}|\/snippets)\/[^"'\n?#]{1,500}\.(?:mdx?|png|jpe?g|svg|gif|webp|avif))["']/g
const NOT_SHOWN = /^[ \t]{0,3}<(?:script|style|pre|textarea|template)\b/i

interface Heading {
  text: string
  /** Nesting depth of link URLs and images, whose text is not part of the heading. */
  hidden: number
}

/** Collects a parsed page's links and ids in one pass over the parser's events. */
export function collectPage({ events, headingIds }: ParsedPage): CollectedPage {
  const links: PageLink[] = []
  const names: string[] = [...headingIds]
  const media: ('link' | 'image')[] = []
  let heading: Heading | null = null
  let open = false
  const addLink = (link: PageLink) => {
    if (links.length < MAX_LINKS && link.href.length <= 2_000) links.push(link)
  }
  const addTags = (text: string, line: number) => {
    if (NOT_SHOWN.test(text)) return
    const shown = text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ' '))
    const countTo = countLines(shown, line)
    for (const { name, value, at } of readAttributes(shown)) {
      if (value === null) {
        if (name === 'id' || name === 'name') open = true
        continue
      }
      const decoded = decodeReferences(value)
      if (ID_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(decoded)
      if (PARAMETER_ATTRIBUTES.has(name) && names.length < MAX_NAMES) names.push(`param-${decoded}`)
      if (LINK_ATTRIBUTES.has(name) && isAddress(name, decoded)) {
        addLink({ kind: 'attribute', href: decoded, line: countTo(at) })
      }
    }
  }

  for (const [when, token, context] of events) {
    // MDX adds token types.
    const type: string = token.type
    const line = token.start.line
    if (when === 'exit') {
      if (type === 'link' || type === 'image') media.pop()
      if (heading !== null) {
        if (isHidden(type)) heading.hidden -= 1
        if (type === 'atxHeading' || type === 'setextHeading') {
          if (names.length < MAX_NAMES) addHeading(heading.text, names)
          else open = true
          heading = null
        }
      }
      continue
    }
    switch (type) {
      case 'link':
      case 'image':
        media.push(type)
        break
      case 'resourceDestinationString':
        addLink({ kind: media.at(-1) ?? 'link', href: decodeMarkdown(context.sliceSerialize(token)), line })
        break
      case 'definitionDestinationString':
        addLink({ kind: 'link', href: decodeMarkdown(context.sliceSerialize(token)), line })
        break
      case 'htmlFlow':
      case 'htmlText':
      case 'mdxJsxFlowTag':
      case 'mdxJsxTextTag':
        addTags(context.sliceSerialize(token), line)
        break
      case 'mdxjsEsm': {
        const code = context.sliceSerialize(token)
        const countTo = countLines(code, line)
        for (const match of code.matchAll(IMPORT)) {
          addLink({ kind: 'import', href: match[1] ?? '', line: countTo(match.index) })
        }
        break
      }
      case 'atxHeading':
      case 'setextHeading':
        heading = { text: '', hidden: 0 }
        break
      default:
    }
    if (heading === null) continue
    if (type.startsWith('mdx') && type.endsWith('Expression')) open = true
    if (isHidden(type)) heading.hidden += 1
    else if (heading.hidden === 0) heading.text += toHeadingText(type, token, context)
  }
  return { links, names, open: open || links.length === MAX_LINKS }
}

function isHidden(type: string): boolean {
  return (
    type === 'resource' || type === 'reference' || type === 'image' || type === 'htmlText' || type.startsWith('mdxJsx')
  )
}

function toHeadingText(type: string, token: ParserEvent[1], context: ParserEvent[2]): string {
  switch (type) {
    case 'data':
    case 'codeTextData':
    case 'characterEscapeValue':
    case 'mathTextData':
      return context.sliceSerialize(token)
    case 'characterReference':
      return decodeReferences(context.sliceSerialize(token))
    case 'lineEnding':
      return ' '
    default:
      return ''
  }
}

/** Adds a heading. Plain Markdown keeps `{#id}` and `{: #id .class }` in the heading text. */
function addHeading(text: string, names: string[]): void {
  const match = /\{:?([^{}]{1,200})\}\s*$/.exec(text)
  if (match === null) {
    names.push(text)
    return
  }
  names.push(text.slice(0, match.index))
  for (const [, id] of (match[1] ?? '').matchAll(/#([^\s}]+)/g)) if (id !== undefined) names.push(id)
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
