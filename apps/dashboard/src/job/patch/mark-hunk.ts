import type { DiffLine } from './file-patch.ts'
import { markWords } from './mark-words.ts'
import type { Span } from './span.ts'

/** A line with its changed words. `spans` is null if no words are marked within the line. */
export interface MarkedLine extends DiffLine {
  readonly spans: readonly Span[] | null
}

/** Larger blocks of removed and added lines are not compared line by line. */
const MAX_BLOCK = 60

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
