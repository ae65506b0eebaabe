import { toLines } from '@corrigenda/git/workspace'

const MAX_LINES = 20_000
const MAX_ROWS = 12

/**
 * Returns numbered lines that resemble the wanted text. For multi-line text, returns the most
 * similar block. Returns an empty list if no line is similar.
 */
export function findNearestLines(text: string, wanted: string): string[] {
  const lines = toLines(text).slice(0, MAX_LINES)
  const block = toLines(wanted)
  while (block.length > 0 && block[0]?.trim() === '') block.shift()
  const height = Math.min(block.length, MAX_ROWS)
  if (height === 0) return []
  const first = toPairs(block[0] ?? '')
  const scored = lines
    .map((line, index) => ({ index, score: toLikeness(toPairs(line), first) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, height === 1 ? 3 : 20)
  if (height === 1) return scored.map(({ index }) => formatLine(lines, index))

  let best = { index: -1, score: 0 }
  for (const { index } of scored) {
    let score = 0
    for (let row = 0; row < height; row += 1) {
      score += toLikeness(toPairs(lines[index + row] ?? ''), toPairs(block[row] ?? ''))
    }
    if (score > best.score) best = { index, score }
  }
  if (best.index === -1) return []
  return lines.slice(best.index, best.index + height).map((_, row) => formatLine(lines, best.index + row))
}

function formatLine(lines: readonly string[], index: number): string {
  const line = lines[index] ?? ''
  return `${index + 1}\t${line.length > 300 ? `${line.slice(0, 300)}…` : line}`
}

/** Counts the character pairs in a line, ignoring case and runs of whitespace. */
function toPairs(line: string): Map<string, number> {
  const plain = line.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, 400)
  const pairs = new Map<string, number>()
  for (let index = 0; index < plain.length - 1; index += 1) {
    const pair = plain.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Returns the Dice coefficient over character pairs, from 0 to 1. */
function toLikeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let total = 0
  for (const [pair, count] of a) {
    total += count
    shared += Math.min(count, b.get(pair) ?? 0)
  }
  for (const count of b.values()) total += count
  return total === 0 ? 0 : (2 * shared) / total
}
