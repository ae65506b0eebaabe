/** A map that forgets what was used longest ago once the sum of its weights passes a bound. The newest entry always stays. */
export interface BoundedCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

export function buildBoundedCache<V>(maxWeight: number, toWeight: (value: V) => number): BoundedCache<V> {
  const entries = new Map<string, { value: V; weight: number }>()
  let total = 0
  const drop = (key: string) => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    total -= entry.weight
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      drop(key)
      const weight = toWeight(value)
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= maxWeight || oldest === key) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
