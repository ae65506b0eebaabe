import { decodeText } from '../workspace/text-file.ts'
import { foldAnchor } from './fold-anchor.ts'
import { buildUnread, EMPTY_CONTENT, type PageContent } from './page-content.ts'

const MAX_BYTES = 262_144
/** Matches content of other files, scripts that set ids, and Markdown headings. */
const OPEN =
  /\b(?:partial|partialCached|template|readFile|os\.ReadFile|GetPage|resources|unmarshal)\b|\.Content\b|\.Render\b|\.id\s{0,5}=[^=]|innerHTML|(?:^|\}\})[ \t]{0,20}#{1,6}[ \t]/m
const COMMENT = /\{\{-?[ \t]{0,5}\/\*[\s\S]*?(?:\*\/[ \t]{0,5}-?\}\}|$)|<!--[\s\S]*?(?:-->|$)/g
const ID =
  /(?<![\w-])(?:id|name)[ \t]{0,5}=[ \t]{0,5}(?:"((?:\{\{[^{}]{0,500}\}\}|[^"{}]){0,500})"|'([^'{}]{0,500})'|([^\s"'>]{1,500}))/g
const SHORTEST_PREFIX = 3

/**
 * Reads the template of a Hugo shortcode: the ids that it renders. An id that ends in `*` stands
 * for all ids with that beginning. Headings in templates have no ids unless they are written. Never
 * throws.
 */
export function readShortcode(bytes: Uint8Array): PageContent {
  const file = bytes.length > MAX_BYTES ? 'large' : decodeText(bytes)
  if (typeof file === 'string') return buildUnread('it is too large')
  const text = file.text.replace(COMMENT, '')
  const ids = [...text.matchAll(ID)].map(([, quoted, single, bare]) => quoted ?? single ?? bare ?? '')
  const anchors = ids.flatMap((id) => toAnchors(text, id))
  return { ...EMPTY_CONTENT, anchors, moreAnchors: OPEN.test(text) || anchors.includes('*') }
}

/** Returns the ids that an attribute may have. `*` means that nothing is known. */
function toAnchors(text: string, id: string): string[] {
  const at = id.indexOf('{{')
  if (at === -1) return [foldAnchor(id)]
  if (at >= SHORTEST_PREFIX) return [`${foldAnchor(id.slice(0, at))}*`]
  const name = /^\{\{-?[ \t]{0,5}(\$\w{1,100})\b/.exec(id)?.[1]
  if (name === undefined) return ['*']
  const values = text.split(name).flatMap((rest, n) => {
    const value = n === 0 ? null : /^[ \t]{0,5}:?=[ \t]{0,5}([^\n]{0,200})/.exec(rest)?.[1]
    return value == null ? [] : [/^\(?printf[ \t]{1,5}"([^"%\n]{3,100})%/.exec(value)?.[1]]
  })
  return values.length === 0 ? ['*'] : values.map((start) => (start === undefined ? '*' : `${foldAnchor(start)}*`))
}
