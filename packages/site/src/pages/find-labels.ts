import type { ParserEvent } from './parser-event.ts'

/** The label of a reference link without a definition. */
export interface UndefinedLabel {
  /** As in `toLabel`. */
  readonly label: string
  /** As written. */
  readonly shown: string
  /** 1-based. */
  readonly line: number
  /** True if the text cannot be anything but a reference link. */
  readonly isCertain: boolean
}

interface PageLabels {
  /** Labels of the definitions, as in `toLabel`. */
  readonly definitions: readonly string[]
  readonly undefined: readonly UndefinedLabel[]
}

/**
 * Matches `[text][label]`. The text contains a word, so that `a[0][b]` does not match. A label with
 * a dot may be the name of a documented object.
 */
const FULL = /(?<![\w\]\\)\0])\[([^[\]]{1,500})\]\[([A-Za-z][^[\].]{0,200})\]/g
/** Matches `[label][]` and `[label]`. */
const SHORT = /(?<![\w\]\\)\0])\[([^[\]\0]{1,200})\](?:\[\]|(?![[(:]))/g
/** Blocks and cells that contain text. */
const TEXT = new Set(['paragraph', 'atxHeadingText', 'setextHeadingText', 'tableContent'])
/** Tokens that do not separate a bracket from the text around it. */
const IGNORED = /^(?:emphasis|strong|codeText|linePrefix|whitespace)/
const MAX_LABELS = 500

/** Finds definitions of reference links, and references to labels that are not defined. */
export function findLabels(events: readonly ParserEvent[]): PageLabels {
  const definitions = new Set<string>()
  const found = new Map<string, UndefinedLabel>()
  let [text, lines]: [string, [at: number, line: number][]] = ['', []]
  const add = (shown: string, at: number, isCertain: boolean) => {
    const label = toLabel(shown)
    const known = found.get(label)
    if (known?.isCertain || (known !== undefined && !isCertain) || found.size >= MAX_LABELS) return
    found.set(label, { label, shown, line: lines.findLast(([start]) => start <= at)?.[1] ?? 1, isCertain })
  }
  for (const [when, token, context] of events) {
    const type: string = token.type
    if (when === 'exit') {
      if (!TEXT.has(type) || text === '') continue
      if (text.includes('][')) {
        for (const { 1: shown = '', 2: label = '', index } of text.matchAll(FULL))
          if (/[A-Za-z]{2}/.test(shown)) add(label, index, true)
      }
      for (const { 0: all, 1: label = '', index } of text.includes('[') ? text.matchAll(SHORT) : [])
        add(label, index, all.endsWith('[]') && isPhrase(label))
      ;[text, lines] = ['', []]
    } else if (TEXT.has(type)) [text, lines] = ['', []]
    else if (type === 'definitionLabelString') definitions.add(toLabel(context.sliceSerialize(token)))
    else if (type === 'data' || type === 'codeText' || type === 'lineEnding') {
      lines.push([text.length, token.start.line])
      // Brackets in code are no reference.
      const written = type === 'lineEnding' ? ' ' : context.sliceSerialize(token)
      text += type === 'codeText' ? written.replace(/[[\]]/g, ' ') : written
    } else if (!IGNORED.test(type)) text += '\0'
  }
  // A footnote after `[label]` prevents the parser from reading it as a reference.
  return {
    definitions: [...definitions],
    undefined: [...found.values()].filter(({ label }) => !definitions.has(label)),
  }
}

/** Normalizes a label: case and white space do not matter. */
export function toLabel(written: string): string {
  return written.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Returns true for a text with two words that follow each other, and without punctuation of code. */
function isPhrase(text: string): boolean {
  return !/[,|<>]/.test(text) && /[A-Za-z]{2} [A-Za-z]{2}/.test(text)
}
