import { type Squeezed, toSqueezedString } from './squeeze-text.ts'

/** Length of the compared stretches. Names with fewer letters and digits are always candidates. */
const LENGTH = 6
const BASE = 0x01000193
const FILTER_BITS = 18

/**
 * Builds a function that returns the names that a file may contain. A file that contains a name also
 * contains the first letters and digits of the name. One pass over a file replaces one search for
 * each of several hundred names.
 */
export function buildNameFilter<T>(names: Iterable<T>, toValue: (name: T) => string): (file: Squeezed) => T[] {
  const always: T[] = []
  const byHash = new Map<number, T[]>()
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3))
  for (const name of names) {
    const squeezed = toSqueezedString(toValue(name))
    if (squeezed.length < LENGTH) {
      always.push(name)
      continue
    }
    let hash = 0
    for (let at = 0; at < LENGTH; at += 1) hash = (Math.imul(hash, BASE) + squeezed.charCodeAt(at)) | 0
    byHash.set(hash, [...(byHash.get(hash) ?? []), name])
    const bit = toBit(hash)
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }
  let power = 1
  for (let step = 0; step < LENGTH; step += 1) power = Math.imul(power, BASE)
  return ({ codes, length }) => {
    if (byHash.size === 0 || length < LENGTH) return always
    const found = new Set<T>(always)
    let hash = 0
    for (let at = 0; at < length; at += 1) {
      hash = (Math.imul(hash, BASE) + (codes[at] ?? 0)) | 0
      if (at >= LENGTH) hash = (hash - Math.imul(codes[at - LENGTH] ?? 0, power)) | 0
      else if (at < LENGTH - 1) continue
      const bit = toBit(hash)
      if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue
      for (const name of byHash.get(hash) ?? []) found.add(name)
    }
    return [...found]
  }
}

/** Distributes the bits of a rolling hash. */
function toBit(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> (32 - FILTER_BITS)
}
