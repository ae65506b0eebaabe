import { HIDDEN_CHARACTERS } from '@corrigenda/git/text'
import { decodeText, type WorkspaceChange } from '@corrigenda/git/workspace'
import { pairMoved, toAddedLines } from './to-added-lines.ts'

type FlagKind = ElementKind | 'invisible_characters'

/** A new element in the change that needs a reviewer's attention. */
export interface Flag {
  readonly kind: FlagKind
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Host of an external resource, or the code points found. Safe to print. */
  readonly detail: string
}

/**
 * Returns new external resources, scripts, frames, redirects, forms and invisible characters, in
 * file order. An element that the file, or the file that it was moved from, already contained is
 * not new.
 */
export function findFlags(changes: readonly WorkspaceChange[]): Flag[] {
  const invisible = toAddedLines(changes).flatMap(({ path, line, text }): Flag[] => {
    const found = new Set(Array.from(text.matchAll(HIDDEN_CHARACTERS), ([char]) => toCodePoint(char)))
    // A byte order mark at the start of a file is not hidden text.
    if (line === 1 && text.startsWith('\uFEFF') && !text.includes('\uFEFF', 1)) found.delete('U+FEFF')
    return found.size === 0 ? [] : [{ kind: 'invisible_characters', path, line, detail: [...found].join(' ') }]
  })
  const elements = pairMoved(changes).flatMap(({ path, before, after }) =>
    findNew(listElements(before), listElements(after)).map(
      ({ kind, line, detail }): Flag => ({ kind, path, line, detail }),
    ),
  )
  const order = new Map(changes.map(({ path }, index) => [path, index]))
  return [...elements, ...invisible].sort(
    (a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0) || a.line - b.line,
  )
}

function listElements(bytes: Uint8Array | null): readonly ActiveElement[] {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  return typeof file === 'string' ? [] : listActiveElements(file.text)
}

/** Returns the elements that occur more often than before. */
function findNew(before: readonly ActiveElement[], after: readonly ActiveElement[]): ActiveElement[] {
  const left = new Map<string, number>()
  const toKey = ({ kind, source }: ActiveElement) => `${kind} ${source}`
  for (const element of before) left.set(toKey(element), (left.get(toKey(element)) ?? 0) + 1)
  return after.filter((element) => {
    const count = left.get(toKey(element)) ?? 0
    left.set(toKey(element), count - 1)
    return count <= 0
  })
}

function toCodePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

type ElementKind = 'external_image' | 'script' | 'iframe' | 'external_style' | 'redirect' | 'form'

/** An element that loads something from elsewhere, runs code, or sends the reader elsewhere. */
interface ActiveElement {
  readonly kind: ElementKind
  /** 1-based line of its start. */
  readonly line: number
  /** Host of an external resource, or empty. Safe to print. */
  readonly detail: string
  /** Equal for two elements with the same text. */
  readonly source: string
}

const EXTERNAL = '(?:https?:)?[\\\\/]{2}'
const IS_EXTERNAL = new RegExp(`^\\s*${EXTERNAL}`, 'i')
const INLINE_IMAGE = new RegExp(`!\\[[^\\]]{0,500}\\]\\(\\s{0,20}<?(${EXTERNAL}[^\\s)>]{1,2000})`, 'gi')
const DEFINITION = new RegExp(`^[ \\t>]{0,20}\\[([^\\]]{1,500})\\]:\\s{0,20}<?(${EXTERNAL}[^\\s>]{1,2000})`, 'gim')
const IMAGE_REFERENCE = /!\[([^\]]{0,500})\](?:\[([^\]]{0,500})\])?/g
const CSS_ADDRESS = new RegExp(`(?:\\burl\\(|@import\\b)[\\s"'(]{0,20}(${EXTERNAL}[^"')\\s]{1,2000})`, 'gi')
const HTML_TAG =
  /<([A-Za-z][\w:.-]{0,60})((?:[^<>"'`{}]|"[^"]{0,2000}"|'[^']{0,2000}'|`[^`]{0,2000}`|\{[^{}]{0,2000}\}|["'`{}]){0,4000})/g
/** An attribute, a class or an id in braces. Read one by one, so that each has only one reading. */
const LIST_ITEM =
  /[ \t]*(?:[\w:@.-]{1,60}[ \t]{0,20}=[ \t]{0,20}(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'|[^\s{}"']{1,2000})|[#.][\w-]{1,100})/y
const LIST_END = /[ \t]*\}/y
/** Addresses of images and videos in AsciiDoc, reStructuredText and MyST. */
const MEDIA_MARKS = new RegExp(
  `(?:\\b(?:image|video|audio):{1,2}|\\.\\.[ \\t]{1,20}(?:\\|[^|\\n]{1,200}\\|[ \\t]{1,20})?(?:image|figure)[ \\t]?::[ \\t]{0,20}|\\{(?:image|figure)\\}[ \\t]{0,20})(${EXTERNAL}[^\\s[]{1,2000})`,
  'gi',
)
/** Shortcodes, tags and macros that embed a page or a script of another site. */
const EMBEDS =
  /\{\{[<%]\s{0,20}(gist|youtube|vimeo|tweet|x|instagram)\s|\{%-?\s{0,20}(embed)\s|\bvideo::[^\s[]{1,200}\[[^\]\n]{0,200}\b(youtube|vimeo|wistia)\b/gi
/** Clicks in diagrams of Mermaid that call functions. */
const DIAGRAM_CALL = /^[ \t>]{0,40}click[ \t]{1,20}\S{1,100}[ \t]{1,20}(?:call[ \t]|callback[ \t]|[\w$]{1,100}\()/gim
const REFRESH = /http-?equiv["']?\s{0,20}[=:]\s{0,20}\{?["']?refresh\b/gi
/** Redirects of a site's configuration to another site. */
const EXTERNAL_REDIRECT = new RegExp(
  [
    `\\b(?:destination|to)["']?\\s{0,20}[:=]\\s{0,20}["']`,
    '^[ \\t]{0,20}/\\S{0,500}[ \\t]{1,20}',
    `^[ \\t]{1,40}["']?[\\w./-]{1,300}\\.md["']?[ \\t]{0,20}:[ \\t]{1,20}["']?`,
  ]
    .map((start) => `${start}(https?://[^"'\\s]{1,2000})`)
    .join('|'),
  'gim',
)
const CONTROL = '[\\t\\r\\0]{0,3}'
/** An address that runs a script, where a link, an attribute or a setting can begin. */
const SCRIPT_LINK = new RegExp(
  `(?:\\]\\(\\s{0,20}<?|\\]:\\s{0,20}<?|<|["']|:[ \\t]{1,20}|\\blink:|^)\\s{0,9}((?:${[...'javascript'].join(CONTROL)}|vbscript)${CONTROL}:(?=[^\\s\`])|data:text/html)`,
  'gim',
)
const ATTRIBUTE = /([\w:@.-]{1,60})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'`{}]+))/g
/** Words such as `only` begin like event handlers. */
const HANDLER = /^(?:on(?!ly$|ce$|line$|set$)[a-z]{3,}|v-on:.+|v-html|@[a-z].*|dangerouslysetinnerhtml)$/i
/** Attributes in one pair of braces. */
const MAX_ITEMS = 100
const SCRIPT_ADDRESS = /^(?:javascript|vbscript|data:text\/html)/i

const FRAMES = new Set(['iframe', 'frame', 'frameset', 'portal', 'fencedframe'])
const FORM_TARGETS = new Set(['action', 'formaction', 'ping'])
const MEDIA_ADDRESSES = new Set(['src', 'srcset', 'data', 'poster', 'background', 'imagesrcset'])
/** Attributes with an address that only these elements load. Other elements only link to it. */
const LOADING_LINKS = new Set(['img', 'image', 'use', 'feimage'])

/**
 * Lists the elements of a page that need a reviewer's attention. Reads every tag and every image on
 * its own, wherever it is, because frameworks disagree about what is code, a comment, or plain text.
 * An element that only some of them display is therefore also listed. Linear in the length of the
 * text.
 */
function listActiveElements(page: string): ActiveElement[] {
  const text = resolveEscapes(page)
  const found: (Omit<ActiveElement, 'line'> & { readonly at: number })[] = []
  const add = (kind: ElementKind, at: number, address: string, source: string) =>
    found.push({ kind, at, detail: toHost(address), source })

  for (const match of text.matchAll(INLINE_IMAGE)) add('external_image', match.index, match[1] ?? '', match[0])
  const labels = new Set<string>()
  for (const [, alt = '', label] of text.matchAll(IMAGE_REFERENCE)) labels.add(toLabel(label || alt))
  for (const { 0: source, 1: label = '', 2: address = '', index } of text.matchAll(DEFINITION)) {
    if (labels.has(toLabel(label))) add('external_image', index, address, source)
  }
  for (const match of text.matchAll(MEDIA_MARKS)) add('external_image', match.index, match[1] ?? '', match[0])
  for (const { 0: source, index, ...names } of text.matchAll(EMBEDS)) {
    add((names[1] ?? '').toLowerCase() === 'gist' ? 'script' : 'iframe', index, '', source)
  }
  for (const match of text.matchAll(EXTERNAL_REDIRECT))
    add('redirect', match.index, match.slice(1).find(Boolean) ?? '', match[0])
  for (const match of text.matchAll(DIAGRAM_CALL)) add('script', match.index, '', match[0])
  for (const { at, inside } of listAttributeLists(text))
    for (const { kind, address } of readTag('', inside)) add(kind, at, address, inside)
  for (const match of text.matchAll(CSS_ADDRESS)) add('external_style', match.index, match[1] ?? '', match[0])
  const tags: { readonly start: number; readonly end: number }[] = []
  for (const { 0: source, 1: name = '', 2: inside = '', index } of text.matchAll(HTML_TAG)) {
    tags.push({ start: index, end: index + source.length })
    for (const { kind, address } of readTag(name.toLowerCase(), inside)) add(kind, index, address, source)
  }
  // In tags, attributes are read instead.
  for (const { index } of listOutside(text.matchAll(SCRIPT_LINK), tags)) add('script', index, '', toRow(text, index))
  for (const { 0: source, index } of listOutside(text.matchAll(REFRESH), tags)) add('redirect', index, '', source)
  const lines = buildLineFinder(text)
  return found.sort((a, b) => a.at - b.at).map(({ at, ...element }) => ({ ...element, line: lines(at) }))
}

/** Lists the attributes in braces that extensions of Markdown add to elements. */
function listAttributeLists(text: string): { at: number; inside: string }[] {
  const found: { at: number; inside: string }[] = []
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const start = text[at + 1] === ':' ? at + 2 : at + 1
    let end = start
    for (let items = 0; items < MAX_ITEMS; items += 1) {
      LIST_ITEM.lastIndex = end
      if (!LIST_ITEM.test(text)) break
      end = LIST_ITEM.lastIndex
    }
    LIST_END.lastIndex = end
    if (end === start || !LIST_END.test(text)) continue
    found.push({ at, inside: text.slice(start, end) })
    at = end
  }
  return found
}

function readTag(name: string, inside: string): { kind: ElementKind; address: string }[] {
  const found: { kind: ElementKind; address: string }[] = []
  const attributes = Array.from(inside.matchAll(ATTRIBUTE), ([, key = '', ...values]) => ({
    key: key.toLowerCase().replace(/^(?:xlink:|:|v-bind:)/, ''),
    value: unquote(values.find((value) => value !== undefined) ?? ''),
  }))
  const read = (key: string) => attributes.find((one) => one.key === key)?.value ?? ''
  // An address between angle brackets is a link.
  if (SCRIPT_ADDRESS.test(name)) found.push({ kind: 'script', address: '' })
  if (name === 'script') found.push({ kind: 'script', address: read('src') })
  if (FRAMES.has(name)) found.push({ kind: 'iframe', address: read('src') })
  if (name === 'base') found.push({ kind: 'redirect', address: read('href') })
  if (name === 'meta' && /^refresh$/i.test(read('http-equiv') || read('httpequiv'))) {
    found.push({ kind: 'redirect', address: /url\s*=\s*['"]?([^'"\s]+)/i.exec(read('content'))?.[1] ?? '' })
  }
  for (const { key, value } of attributes) {
    const isExternal = IS_EXTERNAL.test(value)
    // Browsers ignore white space and control characters in the scheme.
    const compact = value.replace(/[\s\p{Cc}]/gu, '')
    if (HANDLER.test(key) || SCRIPT_ADDRESS.test(compact)) found.push({ kind: 'script', address: '' })
    else if (FORM_TARGETS.has(key) && isExternal) found.push({ kind: 'form', address: value })
    else if (key === 'href' && name === 'link' && isExternal) found.push({ kind: 'external_style', address: value })
    else if (name === 'script' || FRAMES.has(name)) continue
    else if (MEDIA_ADDRESSES.has(key) || (key === 'href' && LOADING_LINKS.has(name))) {
      const address = key.endsWith('srcset')
        ? value.split(/[\s,]+/).find((part) => IS_EXTERNAL.test(part))
        : isExternal
          ? value
          : undefined
      if (address !== undefined) found.push({ kind: 'external_image', address })
    }
  }
  return found
}

/** Removes the quotes of a JSX expression that is a literal. */
const unquote = (value: string): string => value.trim().replace(/^(["'`])([\s\S]*)\1$/, '$2')

const NAMED: Readonly<Record<string, string>> = { colon: ':', sol: '/', tab: ' ', newline: ' ', lpar: '(', period: '.' }

/**
 * Resolves the character references and backslash escapes that can occur in addresses. Keeps line
 * breaks where they are.
 */
function resolveEscapes(text: string): string {
  return text
    .replace(
      /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?|&(colon|sol|tab|newline|lpar|period);/gi,
      (all, hex, decimal, name) => {
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        if (name) return NAMED[name.toLowerCase()] ?? all
        return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
      },
    )
    .replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (all, braces, four, two) => {
      const code = Number.parseInt(braces ?? four ?? two, 16)
      return code > 31 && code < 127 ? String.fromCodePoint(code) : all
    })
    .replace(/\\(?=[:/.()[\]!])/g, '')
}

/** Returns the matches that are not in a tag. Both are in text order. */
function* listOutside(
  matches: Iterable<RegExpExecArray>,
  tags: readonly { readonly start: number; readonly end: number }[],
): Generator<RegExpExecArray> {
  let at = 0
  for (const match of matches) {
    while ((tags[at]?.end ?? Number.POSITIVE_INFINITY) <= match.index) at += 1
    const tag = tags[at]
    if (tag === undefined || match.index < tag.start) yield match
  }
}

/** Returns the line of text at an offset, up to a limit. */
function toRow(text: string, at: number): string {
  const end = text.indexOf('\n', at + 1)
  return text.slice(at, Math.min(end < 0 ? text.length : end, at + 500))
}

const toLabel = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase()

function buildLineFinder(text: string): (at: number) => number {
  let [line, seen] = [1, 0]
  return (at) => {
    for (; seen < at; seen += 1) if (text.charCodeAt(seen) === 10) line += 1
    return line
  }
}

function toHost(address: string): string {
  try {
    return new URL(address.trim(), 'https://local.invalid').host.replace(/^local\.invalid$/, '')
  } catch {
    return ''
  }
}
