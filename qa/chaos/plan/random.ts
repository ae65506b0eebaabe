import { createHash } from 'node:crypto'

/** A pseudo-random number generator. The same seed gives the same numbers. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns a whole number from `min` to `max`, inclusive. */
  int(min: number, max: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** Returns a separate generator, so that draws in one part of a plan do not affect others. */
  fork(name: string | number): Random
}

export function buildRandom(seed: string | number): Random {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0)
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick(from) {
      const picked = from[int(0, from.length - 1)]
      if (picked === undefined) throw new Error('The list to pick from is empty.')
      return picked
    },
    fork: (name) => buildRandom(`${seed}/${name}`),
  }
}
