export interface Piece {
  readonly text: string
  readonly changed: boolean
}

const WORDS = /[\p{L}\p{N}_-]+|\s+|[^\p{L}\p{N}_\s-]/gu
const MAX_WORDS = 300
/** Minimum share of common text. Below this share, highlighting words does not help readers. */
const ALIKE = 0.35

/**
 * Compares two versions of a line word by word. Returns null if they have too little in common or
 * are too long.
 */
export function markChanges(before: string, after: string): { before: Piece[]; after: Piece[] } | null {
  const a = before.match(WORDS) ?? []
  const b = after.match(WORDS) ?? []
  if (a.length === 0 || b.length === 0 || a.length > MAX_WORDS || b.length > MAX_WORDS) return null
  const kept = findCommonWords(a, b)
  const length = kept.reduce((sum, [i]) => sum + (a[i]?.length ?? 0), 0)
  if (length / Math.max(before.length, after.length) < ALIKE) return null
  return {
    before: toPieces(a, new Set(kept.map(([i]) => i))),
    after: toPieces(b, new Set(kept.map(([, j]) => j))),
  }
}

/** Returns the longest common subsequence as pairs of indexes. */
function findCommonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

function toPieces(words: readonly string[], kept: ReadonlySet<number>): Piece[] {
  const pieces: { text: string; changed: boolean }[] = []
  words.forEach((word, i) => {
    const changed = !kept.has(i)
    const last = pieces.at(-1)
    if (last && last.changed === changed) last.text += word
    else pieces.push({ text: word, changed })
  })
  return pieces
}
