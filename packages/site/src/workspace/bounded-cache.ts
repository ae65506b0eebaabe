import { createHash } from 'node:crypto'

/** A map that evicts the least recently used entries when their total weight exceeds a limit. */
export interface BoundedCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

interface Entry<V> {
  readonly value: V
  readonly weight: number
}

/**
 * Builds a cache from a young and an old map, each with half of the weight limit. A used entry
 * moves to the young map. When the young map is full, it becomes the old map and the previous old
 * map is dropped. A hit costs at most two lookups, which matters when a search reads every file in
 * a repository. The newest entry is always kept, so a single entry may exceed the limit.
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
  }
}

/** Returns the id that Git gives to a file with these bytes. */
export function hashBlob(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
