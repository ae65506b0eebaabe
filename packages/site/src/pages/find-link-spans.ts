import { buildOffsets } from './build-offsets.ts'
import { decodeMarkdown, decodeReferences } from './decode-text.ts'
import type { Dialect } from './dialect.ts'
import { findCodeLines } from './find-code-lines.ts'
import { findPlacedLinks } from './find-placed-links.ts'
import { type ParsedPage, parsePage } from './parse-page.ts'
import { readAttributes } from './read-attributes.ts'
import { isSrcset, readSrcset } from './read-srcset.ts'

/** The destination of a link or image and its position. */
export interface LinkSpan {
  /** The destination with escapes and character references resolved. */
  readonly href: string
  /** Offsets of the written destination in the text. */
  readonly start: number
  readonly end: number
}

/** Attributes whose value is a link destination. */
export const LINK_ATTRIBUTES = ['href', 'src', 'to', 'img', 'poster', 'link']
const ATTRIBUTES = new Set(LINK_ATTRIBUTES)
const NOT_SHOWN = /^[ \t]{0,3}<(?:script|style|pre|textarea|template|!--)\b/i
/** Matches files imported by MDX. */
const IMPORT = /(?:^|[\s;}])(?:from|import)[ \t]{0,20}["']((?:\.{1,2}|@site|\/snippets)\/[^"'\n?#]{1,500})["']/g
const MAX_SPANS = 20_000

/**
 * Returns the destinations of links, images, definitions and tags in a page, except in code.
 * Returns null if the page does not parse. Takes about 2 s of CPU per MB.
 */
export function findLinkSpans(text: string, dialect: Dialect): LinkSpan[] | null {
  try {
    return listLinkSpans(text, dialect, parsePage(text, dialect))
  } catch {
    return null
  }
}

/** Does the same for a page that is already parsed. */
export function listLinkSpans(text: string, dialect: Dialect, { events }: ParsedPage): LinkSpan[] {
  const toOffset = buildOffsets(text, dialect)
  const spans: LinkSpan[] = []
  const add = (start: number, written: string, href: string) => {
    // Only text that occurs verbatim at its offset can be replaced there.
    if (spans.length >= MAX_SPANS || written === '' || text.slice(start, start + written.length) !== written) return
    spans.push({ href, start, end: start + written.length })
  }
  for (const [when, token, context] of events) {
    if (when === 'exit') continue
    const type: string = token.type
    const start = toOffset(token.start)
    if (type === 'resourceDestinationString' || type === 'definitionDestinationString') {
      const written = context.sliceSerialize(token)
      add(start, written, decodeMarkdown(written))
    } else if (/^(?:html|mdxJsx)(?:Flow|Text)(?:Tag)?$/.test(type)) {
      const written = context.sliceSerialize(token)
      if (NOT_SHOWN.test(written)) continue
      for (const { name, value, at } of readAttributes(written)) {
        const inner = value === null ? -1 : written.indexOf(value, at + name.length)
        if (value === null || inner === -1) continue
        if (isSrcset(name))
          for (const image of readSrcset(value)) add(start + inner + image.at, image.href, decodeReferences(image.href))
        if (ATTRIBUTES.has(name)) add(start + inner, value, decodeReferences(value))
      }
    } else if (type === 'mdxjsEsm') {
      const written = context.sliceSerialize(token)
      for (const match of written.matchAll(IMPORT)) {
        const value = match[1] ?? ''
        add(start + match.index + match[0].lastIndexOf(value), value, value)
      }
    }
  }
  // A document is not named by its path.
  for (const { form, href, start } of findPlacedLinks(text, findCodeLines(events, true)))
    if (form !== 'document') add(start, href, href)
  return spans.sort((a, b) => a.start - b.start)
}
