import { diffArrays } from 'diff'
import type { Span } from './span.ts'
import { splitWords } from './split-words.ts'

/** Longer lines are not compared word by word. */
const MAX_LENGTH = 4_000
const MAX_EDITS = 400
/**
 * Minimum share of common characters. Below this share, the lines are treated as two separate lines
 * instead of one edited line.
 */
const MIN_SHARED = 0.3

/**
 * Returns both versions of a line with the changed words marked, or null if the lines differ too
 * much or are too long for a useful comparison.
 */
export function markWords(before: string, after: string): { before: readonly Span[]; after: readonly Span[] } | null {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return null
  const changes = diffArrays(splitWords(before), splitWords(after), { maxEditLength: MAX_EDITS })
  if (changes === undefined) return null
  const sides = { before: [] as Span[], after: [] as Span[] }
  let shared = 0
  for (const [index, { added, removed, value }] of changes.entries()) {
    const text = value.join('')
    if (added) push(sides.after, text, true)
    else if (removed) push(sides.before, text, true)
    else {
      // White space between two changed words is part of the change.
      const isBridge = text.trim() === '' && index > 0 && index < changes.length - 1
      push(sides.before, text, isBridge)
      push(sides.after, text, isBridge)
      shared += text.trim().length
    }
  }
  const length = Math.max(before.trim().length, after.trim().length)
  return shared < length * MIN_SHARED ? null : sides
}

function push(spans: Span[], text: string, isChanged: boolean): void {
  const last = spans.at(-1)
  if (last?.isChanged === isChanged) spans[spans.length - 1] = { text: last.text + text, isChanged }
  else if (text !== '') spans.push({ text, isChanged })
}
