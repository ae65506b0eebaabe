const LIMIT = 4_000

type EmphasisMark = 'strong' | 'emphasis' | 'strike'

/**
 * The emphasised text that begins at this `*`, `_` or `~`, as CommonMark's common cases have it: the opening run is not followed by a blank, the closing
 * one not preceded by one, and `_` does not work within words. Null when nothing is emphasised here.
 */
export function findEmphasis(
  text: string,
  at: number,
): { readonly length: number; readonly text: string; readonly marks: readonly EmphasisMark[] } | null {
  const sign = text[at] ?? ''
  // Runs are read from their first sign only, else each sign of a long run would be tried.
  if (text[at - 1] === sign) return null
  let run = 1
  while (text[at + run] === sign) run += 1
  const size = Math.min(run, 3)
  if (run > 3 || (sign === '~' && run !== 2)) return null
  if (isBlank(text[at + run]) || (sign === '_' && isWord(text[at - 1]))) return null
  const end = findEnd(text, at + run, { sign, size })
  if (end < 0) return null
  const marks = sign === '~' ? STRIKE : (MARKS[size] ?? STRIKE)
  return { length: end + size - at, text: text.slice(at + run, end), marks }
}

const STRIKE: readonly EmphasisMark[] = ['strike']
const MARKS: Readonly<Record<number, readonly EmphasisMark[]>> = {
  1: ['emphasis'],
  2: ['strong'],
  3: ['strong', 'emphasis'],
}

function findEnd(text: string, from: number, { sign, size }: { sign: string; size: number }): number {
  const end = Math.min(text.length, from + LIMIT)
  for (let at = from; at < end; at += 1) {
    if (text[at] === '\\') {
      at += 1
      continue
    }
    if (text[at] === '`') {
      const close = text.indexOf('`', at + 1)
      if (close > 0) at = close
      continue
    }
    if (text[at] !== sign) continue
    let run = 1
    while (text[at + run] === sign) run += 1
    const closes = run === size && at > from && !isBlank(text[at - 1]) && !(sign === '_' && isWord(text[at + run]))
    if (closes) return at
    at += run - 1
  }
  return -1
}

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign)
const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
