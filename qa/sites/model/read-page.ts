import { parse } from 'yaml'
import { maskCode } from './mask-code.ts'

export interface PageLink {
  readonly kind: 'link' | 'image'
  /** The destination as written. */
  readonly href: string
  /** Offset of the destination in the page's text. */
  readonly start: number
  /** 1-based. */
  readonly line: number
}

export interface PageHeading {
  readonly text: string
  /** Offsets of the heading's text. */
  readonly start: number
  readonly end: number
  readonly explicitId: string | null
}

export interface DocPage {
  readonly path: string
  readonly text: string
  /** The text without code, with the same positions. */
  readonly masked: string
  readonly links: readonly PageLink[]
  readonly headings: readonly PageHeading[]
  /** Reduced ids of headings and elements; see `reduceId`. */
  readonly ids: ReadonlyMap<string, number>
  readonly front: Readonly<Record<string, unknown>>
  /** Length of the front matter block with its fences; 0 without front matter. */
  readonly frontEnd: number
}

const INLINE = /(!?)\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)/g
const DEFINITION = /^[ \t]*\[(?!\^)[^\]\n]+\]:[ \t]+<?([^\s<>]+)/gm
const ATTRIBUTE = /\s(href|src|srcset|to)\s*=\s*(["'])([^"'{}\n]*)\2/g
const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*\r?$/gm

const UNDERLINED = /^(?![ \t]*[#>|-])(\S[^\n]*)\n(?:={2,}|-{2,})[ \t]*\r?$/gm

/** Reads links, headings and ids of a page with regular expressions only. */
export function readPage(path: string, text: string): DocPage {
  const masked = maskCode(text)
  const links: PageLink[] = []
  const starts = lineStarts(text)
  const add = (kind: PageLink['kind'], href: string, start: number) => {
    if (href !== '') links.push({ kind, href, start, line: toLine(starts, start) })
  }
  for (const match of masked.matchAll(INLINE)) {
    const href = match[2] ?? ''
    add(match[1] === '!' ? 'image' : 'link', href, match.index + match[0].length - href.length)
  }
  for (const match of masked.matchAll(DEFINITION))
    add('link', match[1] ?? '', match.index + match[0].length - (match[1]?.length ?? 0))
  for (const match of masked.matchAll(ATTRIBUTE)) {
    const href = match[3] ?? ''
    add(match[1]?.startsWith('src') ? 'image' : 'link', href, match.index + match[0].length - 1 - href.length)
  }
  links.sort((a, b) => a.start - b.start)
  const headings = [...masked.matchAll(HEADING)].map((match): PageHeading => {
    const start = match.index + match[0].indexOf(match[2] ?? '', match[1]?.length ?? 0)
    const written = text.slice(start, start + (match[2]?.length ?? 0))
    const [, id = null] = /\{\s*#([\w-]+)[^}]*\}\s*$/.exec(written) ?? []
    return { text: written, start, end: start + written.length, explicitId: id }
  })
  const ids = new Map<string, number>()
  const count = (id: string) => ids.set(id, (ids.get(id) ?? 0) + 1)
  for (const { text: written, explicitId } of headings) count(reduceId(explicitId ?? toPlain(written)))
  for (const [, written = ''] of masked.matchAll(UNDERLINED)) count(reduceId(toPlain(written)))
  for (const [, id = ''] of masked.matchAll(/\b(?:id|name|title)\s*=\s*["'{]+([^"'}\n]+)/g)) count(reduceId(id))
  for (const [, id = ''] of text.matchAll(/\{[^{}\n]*#([\w.-]+)[^{}\n]*\}/g)) count(reduceId(id))
  const frontEnd = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0
  return { path, text, masked, links, headings, ids, front: readFront(text.slice(0, frontEnd)), frontEnd }
}

/** Reduces an id or a heading to its letters and digits, so that all id styles compare equal. */
export function reduceId(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function toPlain(heading: string): string {
  return heading
    .replaceAll(/\{[^{}]*\}\s*$/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]*>/g, '')
}

function readFront(block: string): Record<string, unknown> {
  try {
    const value: unknown = parse(block.replace(/^\uFEFF?---/, '').replace(/---\s*$/, ''), { schema: 'core' })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function toLine(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}
