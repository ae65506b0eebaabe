import { diffArrays } from 'diff'
import { splitWords } from '../patch/mark-hunk.ts'
import type { Block } from './split-blocks.ts'

const MAX_TEXT = 4_000

/** The old and new versions of a block. At most one of them is null. */
export interface BlockPair {
  readonly before: Block | null
  readonly after: Block | null
}

/** Minimum similarity at which two blocks are treated as versions of the same block. */
const MIN_LIKENESS = 0.35
/** Above this number of comparisons, blocks are paired by position only. */
const MAX_COMPARISONS = 2_500

/** Pairs each block of the old text with its version in the new text, in order. */
export function alignBlocks(before: readonly Block[], after: readonly Block[]): BlockPair[] {
  const changes = diffArrays(before.map(toKey), after.map(toKey))
  const pairs: BlockPair[] = []
  let old = 0
  let now = 0
  let removed: Block[] = []
  let inserted: Block[] = []
  const flush = () => {
    pairs.push(...alignGap(removed, inserted))
    removed = []
    inserted = []
  }
  for (const change of changes) {
    if (change.removed) removed.push(...before.slice(old, old + change.count))
    else if (change.added) inserted.push(...after.slice(now, now + change.count))
    else {
      flush()
      for (let i = 0; i < change.count; i += 1) {
        pairs.push({ before: before[old + i] ?? null, after: after[now + i] ?? null })
      }
    }
    if (!change.added) old += change.count
    if (!change.removed) now += change.count
  }
  flush()
  return pairs
}

function toKey({ from: _from, to: _to, boxes: _boxes, ...rest }: Block): string {
  return JSON.stringify(rest)
}

/** Returns the best order-preserving pairing of adjacent removed and inserted blocks. */
function alignGap(before: readonly Block[], after: readonly Block[]): BlockPair[] {
  const matches =
    before.length * after.length > MAX_COMPARISONS ? matchByPlace(before, after) : matchByLikeness(before, after)
  const pairs: BlockPair[] = []
  let now = 0
  for (const [old, block] of before.entries()) {
    const match = matches.get(old)
    if (match === undefined) {
      pairs.push({ before: block, after: null })
      continue
    }
    while (now < match) pairs.push({ before: null, after: after[now++] ?? null })
    pairs.push({ before: block, after: after[now++] ?? null })
  }
  while (now < after.length) pairs.push({ before: null, after: after[now++] ?? null })
  return pairs
}

function matchByPlace(before: readonly Block[], after: readonly Block[]): Map<number, number> {
  const matches = new Map<number, number>()
  for (const [index, block] of before.entries()) {
    const other = after[index]
    if (other && measureLikeness(block, other) >= MIN_LIKENESS) matches.set(index, index)
  }
  return matches
}

function matchByLikeness(before: readonly Block[], after: readonly Block[]): Map<number, number> {
  const likeness = before.map((a) => after.map((b) => measureLikeness(a, b)))
  // best[i][j] is the maximum total similarity of before[i..] and after[j..].
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  const at = (i: number, j: number) => best[i]?.[j] ?? 0
  const together = (i: number, j: number) => {
    const like = likeness[i]?.[j] ?? 0
    return like >= MIN_LIKENESS ? like + at(i + 1, j + 1) : -1
  }
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = best[i]
      if (row) row[j] = Math.max(together(i, j), at(i + 1, j), at(i, j + 1))
    }
  }
  const matches = new Map<number, number>()
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (together(i, j) >= Math.max(at(i + 1, j), at(i, j + 1))) matches.set(i++, j++)
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return matches
}

/** Returns the similarity of two blocks, from 0 (nothing in common, or incompatible kinds) to 1. */
function measureLikeness(a: Block, b: Block): number {
  if (a.kind !== b.kind) return 0
  if (a.kind === 'rule') return 1
  if (a.kind === 'lines' && b.kind === 'lines' && (a.shape !== b.shape || (a.shape === 'tag' && a.info !== b.info)))
    return 0
  const same = compareWords(toText(a), toText(b))
  if (a.kind === 'text' && b.kind === 'text' && a.shape.tag !== b.shape.tag) return same * 0.8
  return same
}

/** Returns a block's text without block markup. */
function toText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'lines':
      return block.lines.join('\n')
    case 'table':
      return block.rows.flat().join(' ')
    case 'rule':
      return ''
  }
}

/** Returns the Dice coefficient of two word multisets. */
function compareWords(a: string, b: string): number {
  const counts = new Map<string, number>()
  const [wordsOfA, wordsOfB] = [listWords(a), listWords(b)]
  for (const word of wordsOfA) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of wordsOfB) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    shared += 1
  }
  const all = wordsOfA.length + wordsOfB.length
  return all === 0 ? 1 : (2 * shared) / all
}

const listWords = (text: string): string[] =>
  splitWords(text.slice(0, MAX_TEXT).toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word))
