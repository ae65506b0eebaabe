export interface Interval {
  readonly low: number
  readonly high: number
}

const Z95 = 1.959964

/** Returns Wilson's 95% interval for a rate in `n` independent trials (E. B. Wilson, 1927). */
export function toWilson(rate: number, n: number): Interval {
  if (n === 0) return { low: 0, high: 1 }
  const z2 = Z95 * Z95
  const middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/**
 * Returns the exact two-sided p-value of McNemar's test. The arguments are the numbers of pairs
 * that only one side solved.
 */
export function toMcNemar(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB
  const k = Math.min(onlyA, onlyB)
  let term = 0.5 ** n
  let tail = 0
  for (let i = 0; i <= k; i += 1) {
    tail += term
    term = (term * (n - i)) / (i + 1)
  }
  return Math.min(1, 2 * tail)
}

/**
 * Returns the 95% percentile interval of a statistic over units resampled with replacement.
 * Deterministic.
 * @param toStatistic returns NaN if the statistic is undefined for a resample
 */
export function toBootstrap<T>(
  units: readonly T[],
  toStatistic: (drawn: readonly T[]) => number,
  draws = 5_000,
): Interval {
  const next = buildRandom(units.length + 1)
  const values: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = units.flatMap(() => units.slice(...toSlot(next(), units.length)))
    const value = toStatistic(drawn)
    if (Number.isFinite(value)) values.push(value)
  }
  values.sort((a, b) => a - b)
  const at = (share: number) => values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN
  return { low: at(0.025), high: at(0.975) }
}

const toSlot = (random: number, length: number): [number, number] => {
  const index = Math.floor(random * length)
  return [index, index + 1]
}

/** Builds a Mulberry32 generator, which is small and portable. */
function buildRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
