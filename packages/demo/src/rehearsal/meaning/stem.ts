/** Reduces a word to lower case and removes the usual English endings. */
export function stem(word: string): string {
  const plain = word.toLowerCase().replace(/['’]s?$/, '')
  if (plain.length < 4) return plain
  const base = plain.replace(/ies$/, 'y').replace(/(?:ations?|ments?|ings?|ed|es|s)$/, '')
  const bare = (base.length < 3 ? plain : base).replace(/e$/, '')
  return bare.replace(/([bdgklmnprt])\1$/, '$1')
}

/** Compares stems. Longer ones may differ by one typing mistake, or by a longer ending. */
export function isSameStem(a: string, b: string): boolean {
  if (a === b) return true
  const shortest = Math.min(a.length, b.length)
  if (shortest < 5 || a[0] !== b[0]) return false
  if (shortest > 5 && Math.abs(a.length - b.length) < 5 && (a.startsWith(b) || b.startsWith(a))) return true
  return countMistakes(a, b) <= (shortest < 9 ? 1 : 2)
}

/** Counts the inserted, deleted, changed and swapped characters between two words. */
export function countMistakes(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    older = previous
    previous = row
  }
  return previous[b.length] ?? 0
}
