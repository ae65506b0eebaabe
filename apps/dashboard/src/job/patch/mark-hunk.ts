import { diffArrays } from 'diff'
import type { DiffLine } from './file-patch.ts'

/** Larger blocks of removed and added lines are not compared line by line. */
const MAX_BLOCK = 60

const ONE_BY_ONE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`

const WORD = new RegExp(
  String.raw`\s+|[${ONE_BY_ONE}]|(?:(?![${ONE_BY_ONE}])[\p{L}\p{N}\p{M}_])+(?:['’](?![${ONE_BY_ONE}])\p{L}+)*|.`,
  'gsu',
)

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

/** A part of a line. `isChanged` is true if this part differs in the other version of the line. */
export interface Span {
  readonly text: string
  readonly isChanged: boolean
}

/**
 * Splits text into words, runs of white space and single characters, in order. Joining them yields
 * the original text. Text in scripts without spaces between words is split into characters.
 */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? []
}

/** A line with its changed words. `spans` is null if no words are marked within the line. */
export interface MarkedLine extends DiffLine {
  readonly spans: readonly Span[] | null
}

/**
 * Marks the changed words within edited lines. In each group of adjacent removed and added lines,
 * pairs each removed line with the next added line that resembles it.
 */
export function markHunk(lines: readonly DiffLine[]): MarkedLine[] {
  const marked: MarkedLine[] = lines.map((line) => ({ ...line, spans: null }))
  let at = 0
  while (at < marked.length) {
    const removedEnd = skip(marked, at, 'removed')
    const addedEnd = skip(marked, removedEnd, 'added')
    if (removedEnd > at && addedEnd > removedEnd && addedEnd - at <= MAX_BLOCK) {
      markBlock(marked, { at, removedEnd, addedEnd })
    }
    at = Math.max(addedEnd, at + 1)
  }
  return marked
}

function skip(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from
  while (lines[end]?.kind === kind) end += 1
  return end
}

function markBlock(lines: MarkedLine[], block: { at: number; removedEnd: number; addedEnd: number }): void {
  let next = block.removedEnd
  for (let old = block.at; old < block.removedEnd; old += 1) {
    for (let added = next; added < block.addedEnd; added += 1) {
      const [before, after] = [lines[old], lines[added]]
      const marks = before && after ? markWords(before.text, after.text) : null
      if (!before || !after || marks === null) continue
      lines[old] = { ...before, spans: marks.before }
      lines[added] = { ...after, spans: marks.after }
      next = added + 1
      break
    }
  }
}
