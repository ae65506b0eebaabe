/** A map that forgets what was not used lately once the sum of its weights passes a bound. */
export interface BoundedCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

interface Entry<V> {
  readonly value: V
  readonly weight: number
}

/**
 * Two maps, a young and an old one, of half the weight each: what is used moves to the young one, and when that is full it becomes the
 * old one and the former old one is dropped. A hit is one look-up, which counts when every file of a repository is read for one search.
 * The newest entry always stays, so the bound can be passed by that one.
 */
export function buildBoundedCache<V>(maxWeight: number, toWeight: (value: V) => number): BoundedCache<V> {
  let young = new Map<string, Entry<V>>()
  let old = new Map<string, Entry<V>>()
  let youngWeight = 0
  const drop = (key: string) => {
    youngWeight -= young.get(key)?.weight ?? 0
    young.delete(key)
    old.delete(key)
  }
  const add = (key: string, entry: Entry<V>) => {
    if (young.size > 0 && youngWeight + entry.weight > maxWeight / 2) {
      old = young
      young = new Map()
      youngWeight = 0
    }
    young.set(key, entry)
    youngWeight += entry.weight
  }
  return {
    get(key) {
      const known = young.get(key)
      if (known) return known.value
      const entry = old.get(key)
      if (!entry) return undefined
      old.delete(key)
      add(key, entry)
      return entry.value
    },
    set(key, value) {
      drop(key)
      add(key, { value, weight: toWeight(value) })
    },
    delete: drop,
  }
}
