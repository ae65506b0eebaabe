import { diffArrays } from 'diff'
import { markWords } from '../patch/mark-words.ts'
import type { Change, LiteralLine } from './prose-block.ts'

/**
 * Compares two versions of text that is shown line by line, such as code, front matter and tags.
 * Null means that the text does not exist on that side.
 */
export function diffLines(before: readonly string[] | null, after: readonly string[] | null): LiteralLine[] {
  if (before === null || after === null) {
    return (before ?? after ?? []).map((line) => toLine(line, before === null ? 'inserted' : 'removed'))
  }
  const lines: LiteralLine[] = []
  let removed: string[] = []
  for (const change of diffArrays([...before], [...after])) {
    if (change.removed) {
      removed = change.value
      continue
    }
    if (change.added) lines.push(...pairLines(removed, change.value))
    else lines.push(...pairLines(removed, []), ...change.value.map((line) => toLine(line, 'same')))
    removed = []
  }
  lines.push(...pairLines(removed, []))
  return lines
}

function pairLines(removed: readonly string[], inserted: readonly string[]): LiteralLine[] {
  const before = removed.map((line) => toLine(line, 'removed'))
  const after = inserted.map((line) => toLine(line, 'inserted'))
  if (removed.length !== inserted.length) return [...before, ...after]
  return removed.flatMap((old, index) => {
    const now = inserted[index] ?? ''
    const marks = markWords(old, now)
    return marks === null
      ? [toLine(old, 'removed'), toLine(now, 'inserted')]
      : [
          { change: 'removed', spans: marks.before },
          { change: 'inserted', spans: marks.after },
        ]
  })
}

function toLine(text: string, change: Change): LiteralLine {
  return { change, spans: [{ text, isChanged: false }] }
}
