import { splitWords } from '../patch/split-words.ts'
import type { Block } from './block.ts'

/** Returns the similarity of two blocks, from 0 (nothing in common, or incompatible kinds) to 1. */
export function measureLikeness(a: Block, b: Block): number {
  if (a.kind !== b.kind) return 0
  if (a.kind === 'rule') return 1
  if (a.kind === 'lines' && b.kind === 'lines' && a.shape !== b.shape) return 0
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

const MAX_TEXT = 4_000

const listWords = (text: string): string[] =>
  splitWords(text.slice(0, MAX_TEXT).toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word))
