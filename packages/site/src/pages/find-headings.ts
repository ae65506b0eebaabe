import { buildHeadingCollector } from './build-heading-collector.ts'
import { buildOffsets } from './build-offsets.ts'
import { decodeReferences } from './decode-text.ts'
import type { Dialect } from './dialect.ts'
import { type ParsedPage, parsePage } from './parse-page.ts'
import { readAttributes } from './read-attributes.ts'

/** A heading and the position of its text. */
export interface Heading {
  /** The text as shown. Empty if it is not in the page, for example in a tag. */
  readonly text: string
  readonly level: number
  /** 1-based. */
  readonly line: number
  /** Offsets of the text as written, without marks and attributes. */
  readonly start: number
  readonly end: number
  /** The id that the heading defines, such as `{#id}`, or null. */
  readonly id: string | null
  /** True if an expression computes part of the text. */
  readonly isComputed: boolean
}

export interface PageHeadings {
  readonly headings: readonly Heading[]
  /** Values of `id` and `name` attributes in tags. */
  readonly ids: ReadonlySet<string>
}

/** Matches attributes at the end of a heading: `{#id}`, `{: #id .class }` and Nextra's `[#id]`. */
const ATTRIBUTES = /(?:\{:?([^{}\n]{1,200})\}|\[(#[^\]\s]{1,200})\])[ \t#]*$/

/**
 * Returns the headings of a page in order, except those written as HTML. Returns null if the page
 * does not parse. Takes about 2 s of CPU per MB.
 */
export function findHeadings(text: string, dialect: Dialect): PageHeadings | null {
  try {
    return listHeadings(text, dialect, parsePage(text, dialect))
  } catch {
    return null
  }
}

/** Does the same for a page that is already parsed. */
export function listHeadings(text: string, dialect: Dialect, { events }: ParsedPage): PageHeadings {
  const toOffset = buildOffsets(text, dialect)
  const collector = buildHeadingCollector()
  const headings: Heading[] = []
  const ids = new Set<string>()
  let place = { start: 0, end: 0, level: 0, line: 0, isComputed: false }
  for (const event of events) {
    const [when, token, context] = event
    const shown = collector.take(event)
    if (shown !== null) headings.push(toHeading(text, shown, place))
    const type: string = token.type
    const start = toOffset(token.start)
    if (when === 'exit') {
      if (type === 'atxHeadingText' || type === 'setextHeadingText')
        place = { ...place, start, end: toOffset(token.end) }
      if (type === 'atxHeadingSequence' && place.level === 0)
        place = {
          ...place,
          start: toOffset(token.end),
          end: toOffset(token.end),
          level: token.end.offset - token.start.offset,
        }
      if (type === 'setextHeadingLine')
        place = { ...place, level: context.sliceSerialize(token).startsWith('=') ? 1 : 2 }
      continue
    }
    if (type === 'atxHeading' || type === 'setextHeading')
      place = { start, end: start, level: 0, line: token.start.line, isComputed: false }
    if (collector.isOpen() && type.startsWith('mdx') && type.endsWith('Expression'))
      place = { ...place, isComputed: true }
    if (/^(?:html|mdxJsx)(?:Flow|Text)(?:Tag)?$/.test(type)) {
      for (const { name, value } of readAttributes(context.sliceSerialize(token)))
        if (value !== null && (name === 'id' || name === 'name')) ids.add(decodeReferences(value))
    }
  }
  return { headings, ids }
}

function toHeading(text: string, shown: string, place: Omit<Heading, 'text' | 'id'>): Heading {
  const lineEnd = text.indexOf('\n', place.end)
  const rest = text.slice(place.start, lineEnd === -1 ? text.length : lineEnd)
  // A heading over several lines has no attributes.
  const match = rest.includes('\n') ? null : ATTRIBUTES.exec(rest)
  const id = /#([^\s}]+)/.exec(match?.[1] ?? match?.[2] ?? '')?.[1] ?? null
  if (match === null || (id === null && match[2] === undefined && !/^\s*[.:]/.test(match[1] ?? '')))
    return { ...place, text: shown.trim(), id: null }
  const end = Math.min(place.end, place.start + rest.slice(0, match.index).trimEnd().length)
  // The parser removes the attributes in MDX.
  const attributes = match[0].replace(/(?<![ \t#])[ \t#]+$/, '')
  const plain = shown.trimEnd().endsWith(attributes) ? shown.trimEnd().slice(0, -attributes.length) : shown
  return { ...place, end, id, text: plain.trim() }
}
