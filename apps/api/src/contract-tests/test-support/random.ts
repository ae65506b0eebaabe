/**
 * Builds a small seeded random number generator (mulberry32). The same seed produces the same
 * requests.
 */
export function buildRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    chance: (p: number): boolean => next() < p,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  }
}

export type Random = ReturnType<typeof buildRandom>
