const PAIRS = [
  ['{{', '}}'],
  ['{%', '%}'],
] as const

/**
 * Returns the macros of a template language, with their offsets, in text order of each notation.
 * Linear in the length of the text.
 */
export function listMacros(text: string): { readonly source: string; readonly offset: number }[] {
  return PAIRS.flatMap(([open, close]) => {
    const found: { source: string; offset: number }[] = []
    for (let start = text.indexOf(open); start >= 0; ) {
      const end = text.indexOf(close, start + open.length)
      if (end < 0) break
      found.push({ source: text.slice(start, end + close.length), offset: start })
      start = text.indexOf(open, end + close.length)
    }
    return found
  })
}
