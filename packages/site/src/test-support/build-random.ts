export interface Random {
  /** Returns an integer from 0 (inclusive) to the given number (exclusive). */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

/** Builds a random number generator from a seed, so that failures can be reproduced. */
export function buildRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

/**
 * The test seed. It is constant, so that CI results depend only on the change. The environment
 * variable `SEED` overrides it.
 */
export const SEED = Number(process.env.SEED ?? 20261121)
