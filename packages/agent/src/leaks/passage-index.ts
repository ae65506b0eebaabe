import { SEPARATOR } from './added-texts.ts'
import type { Squeezed, SqueezedFile } from './squeeze.ts'

/** A stretch of a file that the indexed text repeats. */
export interface Match {
  /** Positions in the file, end exclusive. */
  readonly start: number
  readonly end: number
  /** Position in the indexed text. */
  readonly at: number
  /**
   * Number of code units in the indexed text between the previous match and this one, which continues
   * it. Null if this match does not continue the previous one.
   */
  readonly gap: number | null
}

export interface PassageIndex {
  /**
   * Returns the matches of a file in ascending order of `start`. A match continues the previous one
   * across text that was inserted. A stretch of the file is found in one place of the indexed text.
   */
  findMatches(file: SqueezedFile): Match[]
  /**
   * Sets the elements of `marks` to 1 where the indexed text repeats at least {@link MIN_PUBLIC} code
   * units of a file.
   * @param marks as long as the indexed text
   */
  mark(file: Squeezed, marks: Uint8Array): void
  /** Returns a position of a text of at least {@link SHINGLE} code units, or -1. */
  find(text: Uint16Array): number
}

/** Length of the compared shingles. */
const SHINGLE = 8
/** Minimum length of a match that neither continues another one nor is continued. */
const MIN_ALONE = 20
/** Minimum length of such a match if it is a line of the file. */
export const MIN_LINE = 12
const MIN_PUBLIC = 20
/** Number of places that are compared for each shingle. Repetitive text has many. */
const MAX_PLACES = 12
/** Number of places that are marked for each shingle. A page in several forms may repeat a passage. */
const MAX_MARKED = 32
/** A match may overlap the previous one by this much, because it may continue in another place. */
const MAX_OVERLAP = 16
/** A match may continue after this much inserted text. */
const MAX_GAP = 40
/** After at most this much inserted text, fewer code units show that the match continues. */
const SMALL_GAP = 24
const SMALL_SHINGLE = 5
/** Number of code units of the file that may be missing between two matches. */
const MAX_SKIPPED = 3
const BASE = 0x01000193

/**
 * Builds an index of the text of a change. The change is indexed, and not the sources, because a
 * change is small: files of any number can be compared in one pass and one after the other.
 * @param exactFrom position from which nothing of a file may be missing between two matches
 */
export function buildPassageIndex({ codes, length, exactFrom }: Squeezed & { exactFrom: number }): PassageIndex {
  const count = Math.max(0, length - SHINGLE + 1)
  const bits = Math.max(10, Math.ceil(Math.log2(count + 1)))
  const heads = new Int32Array(2 ** bits).fill(-1)
  const nexts = new Int32Array(count).fill(-1)
  // Most shingles of a source do not occur in the change. A bit for each of them decides quickly.
  const filterBits = Math.min(31, bits + 3)
  const filter = new Uint8Array(2 ** (filterBits - 3))
  for (let at = count - 1; at >= 0; at -= 1) {
    const hash = hashShingle(codes, at)
    const slot = hash >>> (32 - bits)
    nexts[at] = heads[slot] ?? -1
    heads[slot] = at
    const bit = hash >>> (32 - filterBits)
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }

  /** Returns the number of equal code units from two positions, up to a limit. */
  const countEqual = (file: Squeezed, from: number, at: number, limit = Number.POSITIVE_INFINITY) => {
    let size = 0
    while (
      size < limit &&
      from + size < file.length &&
      at + size < length &&
      file.codes[from + size] === codes[at + size]
    )
      size += 1
    return size
  }
  const isFrequent = (file: Squeezed, from: number) => {
    if (from + SHINGLE > file.length) return false
    const bit = hashShingle(file.codes, from) >>> (32 - filterBits)
    return ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0
  }
  /** Calls `visit` for the places of a shingle until it returns false. */
  const visitPlaces = (file: Squeezed, from: number, max: number, visit: (at: number) => void) => {
    let found = 0
    let at = heads[hashShingle(file.codes, from) >>> (32 - bits)] ?? -1
    for (let steps = 0; at !== -1 && found < max && steps < max * 4; steps += 1, at = nexts[at] ?? -1) {
      if (countEqual(file, from, at, SHINGLE) < SHINGLE) continue
      found += 1
      visit(at)
    }
  }
  /** Returns the longest match of the shingle at a position of the file. */
  const findLongest = (file: Squeezed, from: number, floor: number): Match | null => {
    let best: Match | null = null
    visitPlaces(file, from, MAX_PLACES, (place) => {
      let start = from
      let at = place
      while (start > floor && at > 0 && file.codes[start - 1] === codes[at - 1]) {
        start -= 1
        at -= 1
      }
      const end = from + SHINGLE + countEqual(file, from + SHINGLE, place + SHINGLE)
      if (best === null || end - start > best.end - best.start) best = { start, end, at, gap: null }
    })
    return best
  }
  /** Returns the match that continues a match at a position of the file, or null. */
  const findNext = (file: Squeezed, { end, start, at }: Match, from: number, maxGap: number): Match | null => {
    const first = at + end - start
    for (let gap = 0; gap <= maxGap; gap += 1) {
      if (codes[first + gap] === SEPARATOR) return null
      const least = gap <= SMALL_GAP ? SMALL_SHINGLE : SHINGLE
      if (countEqual(file, from, first + gap, least) < least) continue
      return { start: from, end: from + countEqual(file, from, first + gap), at: first + gap, gap }
    }
    return null
  }
  /** Returns the match after a match, which continues it unless another place repeats more of the file. */
  const continueMatch = (file: Squeezed, match: Match): Match | null => {
    const maxSkipped = match.at < exactFrom ? MAX_SKIPPED : 0
    for (let skipped = 0; skipped <= maxSkipped && match.end + skipped < file.length; skipped += 1) {
      // Either text was inserted, or letters are missing. Other letters are another text.
      const next = findNext(file, match, match.end + skipped, skipped === 0 ? MAX_GAP : 0)
      if (next === null) continue
      const other = next.gap !== 0 && isFrequent(file, next.start) ? findLongest(file, next.start, match.end) : null
      return other !== null && other.end - other.start > next.end - next.start ? other : next
    }
    return null
  }

  return {
    findMatches(file) {
      const matches: Match[] = []
      let line = 0
      for (let from = 0; from + SHINGLE <= file.length; ) {
        while ((file.ends[line] ?? file.length) <= from) line += 1
        const floor = Math.max(0, (matches.at(-1)?.end ?? 0) - MAX_OVERLAP)
        let match = isFrequent(file, from) ? findLongest(file, from, floor) : null
        const size = match === null ? 0 : match.end - match.start
        const isLine =
          match !== null && match.start <= (file.ends[line - 1] ?? 0) && match.end >= (file.ends[line] ?? file.length)
        const isShort = size < (isLine ? MIN_LINE : MIN_ALONE)
        let next = match !== null && (!isShort || isFrequent(file, match.end)) ? continueMatch(file, match) : null
        if (match === null || (isShort && (next === null || next.gap === null))) {
          from += 1
          continue
        }
        while (match !== null) {
          matches.push(match)
          from = match.end
          match = next
          next = match === null ? null : continueMatch(file, match)
        }
        // The next match contains a code unit after this one.
        from = Math.max(from - SHINGLE + 1, 0)
      }
      return matches
    },
    mark(file, marks) {
      for (let from = 0; from + SHINGLE <= file.length; from += 1) {
        if (!isFrequent(file, from)) continue
        visitPlaces(file, from, MAX_MARKED, (place) => {
          if (marks[place] === 1 && marks[place + SHINGLE - 1] === 1) return
          let back = 0
          while (back < from && back < place && file.codes[from - back - 1] === codes[place - back - 1]) back += 1
          const size = back + countEqual(file, from, place)
          if (size >= MIN_PUBLIC) marks.fill(1, place - back, place - back + size)
        })
      }
    },
    find(text) {
      const wanted = { codes: text, length: text.length }
      let found = -1
      if (text.length < SHINGLE || !isFrequent(wanted, 0)) return found
      visitPlaces(wanted, 0, 4 * MAX_MARKED, (at) => {
        if (found === -1 && countEqual(wanted, 0, at, text.length) === text.length) found = at
      })
      return found
    },
  }
}

function hashShingle(codes: Uint16Array, from: number): number {
  let hash = 0
  for (let at = from; at < from + SHINGLE; at += 1) hash = (Math.imul(hash, BASE) + (codes[at] ?? 0)) | 0
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}
