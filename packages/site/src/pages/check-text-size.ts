import type { ParserEvent } from './parser-event.ts'
import { TooIntricate } from './too-intricate.ts'

/**
 * Maximum number of pairs of marks in one paragraph that the parser may compare. 25 million take
 * about two seconds. Ordinary pages stay below 3 million.
 */
const MAX_PAIRS = 25_000_000
const MARKS = new Set('[]*_~`$<:!&\\|=')

/**
 * Throws if the text of a paragraph, heading or cell takes too long to parse. The parser compares
 * its brackets, emphasis marks and similar characters with each other.
 * @param events the blocks of a page, whose text is not parsed yet
 * @throws TooIntricate
 */
export function checkTextSize(events: readonly ParserEvent[]): void {
  let marks = 0
  let pairs = 0
  for (const [when, token, context] of events) {
    if (when === 'exit' || token.contentType === undefined) continue
    if (token.previous === undefined) marks = 0
    for (const char of context.sliceSerialize(token)) {
      if (!MARKS.has(char)) continue
      pairs += marks
      marks += 1
    }
    if (pairs > MAX_PAIRS) {
      throw new TooIntricate('a paragraph has too many brackets, emphasis marks or similar characters')
    }
  }
}
