import type { Pacer } from './build-pacer.ts'
import type { Squeezed } from './squeeze-text.ts'

/** A stretch that occurs in a file and in the indexed text. */
export interface Match {
  /** Positions in the file, end exclusive. */
  readonly start: number
  readonly end: number
  /** Position in the indexed text. */
  readonly at: number
}

/** Finds the stretches of files that occur in the indexed text. */
export interface PassageIndex {
  /**
   * Returns the matches of a file in ascending order of `start`. They may overlap slightly. A stretch
   * of the file is found in one place of the indexed text.
   */
  findMatches(file: Squeezed): Match[]
  /**
   * Sets the elements of `marks` to 1 where the indexed text repeats a file, apart from fewer than
   * {@link STRIDE} code units at the start of a stretch.
   * @param marks as long as the indexed text
   */
  mark(file: Squeezed, marks: Uint8Array): void
}

/** Length of the compared windows. */
const WINDOW = 20
/**
 * Distance of the windows that are indexed. Every stretch of `WINDOW + STRIDE - 1` code units
 * contains one of them.
 */
const STRIDE = 6
/** Number of places that are compared for each window. Repetitive text has many. */
const MAX_PLACES = 6
/** Number of places that are marked for each window. A page in several forms may repeat a passage. */
const MAX_MARKED = 32
/** A match may overlap the previous one by this much, because it may continue in another place. */
const MAX_OVERLAP = 80
const BASE = 0x01000193
/** Windows that are indexed between two calls of the pacer. */
const CHUNK = 16_384

/** Matches do not continue from one text to the next, because no file has this code unit. */
export const SEPARATOR = 0xffff

/**
 * Builds an index of the text of a change. The change is indexed, and not the sources, because a
 * change is small: files of any number can be compared in one pass and one after the other.
 */
export async function buildPassageIndex({ codes, length }: Squeezed, pace: Pacer): Promise<PassageIndex> {
  const count = Math.max(0, Math.floor((length - WINDOW) / STRIDE) + 1)
  const bits = Math.max(10, Math.ceil(Math.log2(count * 2 + 1)))
  const shift = 32 - bits
  const heads = new Int32Array(2 ** bits).fill(-1)
  const nexts = new Int32Array(count).fill(-1)
  // Most windows of a source do not occur in the change. A bit for each of them decides quickly.
  const filterBits = bits + 4
  const filter = new Uint8Array(2 ** (filterBits - 3))
  for (let index = count - 1; index >= 0; index -= 1) {
    const hash = mix(hashWindow(codes, index * STRIDE))
    const slot = hash >>> shift
    nexts[index] = heads[slot] ?? -1
    heads[slot] = index
    const bit = hash >>> (32 - filterBits)
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
    if (index % CHUNK === 0) await pace()
  }
  let power = 1
  for (let step = 0; step < WINDOW; step += 1) power = Math.imul(power, BASE)

  /** Returns the matches of the window at `from`. */
  const listPlaces = (file: Squeezed, from: number, slot: number, floor: number): Match[] => {
    const found: Match[] = []
    for (let index = heads[slot] ?? -1; index !== -1 && found.length < MAX_PLACES; index = nexts[index] ?? -1) {
      const at = index * STRIDE
      if (!isSame(file.codes, from, codes, at)) continue
      let end = from + WINDOW
      let over = at + WINDOW
      while (end < file.length && over < length && file.codes[end] === codes[over]) {
        end += 1
        over += 1
      }
      let start = from
      let first = at
      while (start > floor && first > 0 && file.codes[start - 1] === codes[first - 1]) {
        start -= 1
        first -= 1
      }
      found.push({ start, end, at: first })
    }
    return found.sort((a, b) => b.end - a.end)
  }

  /** Calls `visit` for the windows of a file that the indexed text probably has. */
  const scan = (file: Squeezed, visit: (from: number, slot: number) => void) => {
    if (file.length < WINDOW || count === 0) return
    let hash = hashWindow(file.codes, 0)
    for (let from = 0; ; from += 1) {
      const mixed = mix(hash)
      const bit = mixed >>> (32 - filterBits)
      if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0) visit(from, mixed >>> shift)
      const next = from + WINDOW
      if (next >= file.length) return
      hash = (Math.imul(hash, BASE) + (file.codes[next] ?? 0) - Math.imul(file.codes[from] ?? 0, power)) | 0
    }
  }

  return {
    findMatches(file) {
      const matches: Match[] = []
      let floor = 0
      let skipUntil = 0
      scan(file, (from, slot) => {
        if (from < skipUntil) return
        const [match] = listPlaces(file, from, slot, floor)
        if (match === undefined) return
        matches.push(match)
        floor = Math.max(floor, match.end - MAX_OVERLAP)
        // The next match contains a code unit after this one.
        skipUntil = match.end - WINDOW + 1
      })
      return matches
    },
    mark(file, marks) {
      scan(file, (from, slot) => {
        let marked = 0
        for (let index = heads[slot] ?? -1; index !== -1 && marked < MAX_MARKED; index = nexts[index] ?? -1) {
          const at = index * STRIDE
          if (!isSame(file.codes, from, codes, at)) continue
          marks.fill(1, at, at + WINDOW)
          marked += 1
          // The end of a stretch may not be in an indexed window.
          let over = WINDOW
          while (
            over < WINDOW + STRIDE - 1 &&
            from + over < file.length &&
            file.codes[from + over] === codes[at + over]
          ) {
            marks[at + over] = 1
            over += 1
          }
        }
      })
    },
  }
}

function hashWindow(codes: Uint16Array, from: number): number {
  let hash = 0
  for (let at = from; at < from + WINDOW; at += 1) hash = (Math.imul(hash, BASE) + (codes[at] ?? 0)) | 0
  return hash
}

/** Distributes the bits of a rolling hash, whose low bits depend on few code units. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}

function isSame(file: Uint16Array, from: number, text: Uint16Array, at: number): boolean {
  for (let step = 0; step < WINDOW; step += 1) {
    if (text[at + step] !== file[from + step]) return false
  }
  return true
}
