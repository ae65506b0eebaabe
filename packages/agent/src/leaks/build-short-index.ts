import type { Pacer } from './build-pacer.ts'
import type { Squeezed } from './squeeze-text.ts'

/** Minimum length of a text that can be found. */
export const MIN_SHORT = 12
/** Number of places that are compared. Text with more places is repetitive. */
const MAX_STEPS = 64
const BASE = 0x01000193
const CHUNK = 65_536

/** Builds a function that returns true if the indexed text contains a short text anywhere. */
export async function buildShortIndex(
  { codes, length }: Squeezed,
  pace: Pacer,
): Promise<(squeezed: string) => boolean> {
  const count = Math.max(0, length - MIN_SHORT + 1)
  const shift = 32 - Math.max(8, Math.ceil(Math.log2(count + 1)))
  const heads = new Int32Array(2 ** (32 - shift)).fill(-1)
  const nexts = new Int32Array(count)
  for (let at = count - 1; at >= 0; at -= 1) {
    const slot = toSlot(codes, at, shift)
    nexts[at] = heads[slot] ?? -1
    heads[slot] = at
    if (at % CHUNK === 0) await pace()
  }
  /** Looks up the first letters of the text, or the last ones. Returns null if it has too many places. */
  const find = (wanted: Uint16Array, offset: number): boolean | null => {
    let at = heads[toSlot(wanted, offset, shift)] ?? -1
    for (let steps = 0; at !== -1; steps += 1) {
      if (steps === MAX_STEPS) return null
      if (wanted.every((code, step) => codes[at - offset + step] === code)) return true
      at = nexts[at] ?? -1
    }
    return false
  }
  return (squeezed) => {
    if (squeezed.length < MIN_SHORT) return false
    const wanted = Uint16Array.from(squeezed, (char) => char.charCodeAt(0))
    return find(wanted, 0) ?? find(wanted, wanted.length - MIN_SHORT) ?? false
  }
}

function toSlot(codes: Uint16Array, from: number, shift: number): number {
  let hash = 0
  for (let step = 0; step < MIN_SHORT; step += 1) hash = (Math.imul(hash, BASE) + (codes[from + step] ?? 0)) | 0
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> shift
}
