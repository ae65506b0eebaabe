import { decodeText } from '../workspace/text-file.ts'
import { blankComments } from './blank-comments.ts'
import { buildUnread, EMPTY_CONTENT, type PageContent } from './page-content.ts'

const MAX_BYTES = 262_144
/** Matches the start of Astro, Vue and Svelte files. */
const TEMPLATE = /^\s*(?:---[ \t]*\n|<)/
/**
 * Matches code that may render ids, or Markdown and HTML of which this is unknown. Frameworks add no
 * ids to headings in components.
 */
const CODE_IDS =
  /\bid\s{0,20}[=:]|[{,]\s{0,20}id\s{0,20}[,}]|["'`]id["'`]|["'`]h[1-6]?["'`]|`h\$|HTML\s{0,20}[=:(]|createElement|\bh\(|\bhash\b|[Mm]arkdown|\bmdx?["'`]|<a\s[^>]{0,500}\bname=|import\.meta\.glob|<Content\b/
/** Matches the same in scripts of a template. */
const SCRIPT_IDS =
  /\.id\s{0,20}=[^=]|["'`]id["'`]|\bid=|<h[1-6]\b|["'`]h[1-6]["'`]|`h\$|\bh\(|createVNode|location\.hash/
/** Matches the same in the markup of a template, which is not Markdown. */
const MARKUP_IDS =
  /(?<![\w-])id\s{0,20}=|\{\s{0,20}id\s{0,20}\}|set:html|v-html|\{@html|v-bind=|<a\s[^>]{0,500}\bname=|<(?:component|svelte:\w+)\b|location\.hash/
/** Matches icons, whose inserted HTML contains no headings. */
const ICON_HTML = /(<svg\b(?:(?!<svg\b)[^>]){0,1000})\bset:html=/g
const TAG = /<([A-Z]\w*|[a-z]\w*(?:-\w+)+)/g
/** Tags of the frameworks that render only the content between them. */
const BUILT_IN = new Set(
  'Astro ClientOnly Fragment KeepAlive Suspense Teleport Transition TransitionGroup'.split(' ').map(toKey),
)
const IMPORT = /\b(?:from|import)\s{0,20}\(?\s{0,20}["']([^"'\n]{1,500})["']/g
const NAMED_IMPORT =
  /\bimport\s{1,20}(?!type\b)((?:(?!\bimport\s)[^'"]){1,1000}?)\bfrom\s{0,20}["']([^"'\n]{1,500})["']/g

/**
 * Reads a component that pages import: whether it may render ids, and the files whose components it
 * renders. Synchronous CPU work, a few milliseconds. Never throws.
 */
export function readComponent(bytes: Uint8Array): PageContent {
  const file = bytes.length > MAX_BYTES ? 'large' : decodeText(bytes)
  if (typeof file === 'string') return buildUnread('it is too large')
  const text = blankComments(file.text)
  if (TEMPLATE.test(text)) return readTemplate(text)
  const hrefs = [...text.matchAll(IMPORT)].map(([, href = '']) => href)
  return toContent(CODE_IDS.test(text.replace(IMPORT, '')), hrefs)
}

function readTemplate(text: string): PageContent {
  const { markup, scripts } = splitTemplate(text)
  const imports = new Map<string, string>()
  for (const [, names = '', href = ''] of scripts.matchAll(NAMED_IMPORT)) {
    for (const name of names.split(/[,{}]/)) {
      const local = /(?<![\w$])([\w$]+)$/.exec(name.trim())?.[1]
      if (local !== undefined) imports.set(toKey(local), href)
    }
  }
  const hrefs = new Set<string>()
  const isVue = markup.includes('<template')
  let isOpen =
    SCRIPT_IDS.test(scripts) || MARKUP_IDS.test(markup.replace(ICON_HTML, '$1')) || hasSpreadId(scripts + markup)
  for (const [, name = ''] of markup.matchAll(TAG)) {
    const href = imports.get(toKey(name))
    if (href !== undefined) hrefs.add(href)
    // A dashed name is a custom element, except in Vue, where it may be a global component.
    else if (!BUILT_IN.has(toKey(name)) && (!name.includes('-') || isVue)) isOpen = true
  }
  return toContent(isOpen, [...hrefs])
}

/** An object with an id may become the attributes of a tag. */
function hasSpreadId(text: string): boolean {
  return /\bid\s*:/.test(text) && /\{\s{0,20}\.\.\./.test(text)
}

/** Separates the code from the markup, without styles. */
function splitTemplate(text: string): { markup: string; scripts: string } {
  const front = /^\s*---[ \t]*\n/.exec(text)?.[0].length ?? 0
  const end = front === 0 ? 0 : text.indexOf('\n---', front - 1)
  if (end === -1) return { markup: '', scripts: text }
  let scripts = text.slice(front, end)
  let markup = ''
  let at = end
  for (const { 0: tag, index } of text.matchAll(/<(?:script|style)\b/gi)) {
    if (index < at) continue
    const close = text.indexOf(`</${tag.slice(1)}`, index)
    if (close === -1) break
    markup += text.slice(at, index)
    if (/script/i.test(tag)) scripts += `\n${text.slice(index, close)}`
    at = close
  }
  return { markup: markup + text.slice(at), scripts }
}

/** Vue accepts `<my-card>` for `MyCard`. */
function toKey(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}

function toContent(moreAnchors: boolean, hrefs: readonly string[]): PageContent {
  const links = hrefs.map((href) => ({ kind: 'import' as const, href, line: 0 }))
  return { ...EMPTY_CONTENT, links, moreAnchors }
}
