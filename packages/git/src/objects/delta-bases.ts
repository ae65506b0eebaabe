import { buildBoundedCache } from './bounded-cache.ts'
import type { ObjectType, PackSource } from './pack-source.ts'

/** An object in a pack, and the cost of reading it without the cache. */
export interface DeltaBase {
  readonly type: ObjectType
  readonly bytes: Buffer
  /** Number of objects in its delta chain, including itself. */
  readonly depth: number
  /** Total inflated size of its delta chain in bytes, as limited by `ReadLimits`. */
  readonly chainBytes: number
}

/**
 * Total size of the cached objects of all packs in bytes. Git's own limit,
 * `core.deltaBaseCacheLimit`, is 96 MiB per process.
 */
const MAX_CACHED_BYTES = 16 * 1024 * 1024
/** Maximum size of a cached object in bytes, so that one file does not evict all others. */
const MAX_OBJECT_BYTES = 1024 * 1024

const BASES = buildBoundedCache<DeltaBase>(MAX_CACHED_BYTES, ({ bytes }) => bytes.length + 200)
const NUMBERS = new WeakMap<PackSource, number>()
let packs = 0

/**
 * Returns a recently read object. The objects of a folder often form chains of deltas. Without the
 * cache, a reader of all files inflates the start of each chain once for every file in it.
 */
export function findDeltaBase(pack: PackSource, offset: number): DeltaBase | null {
  return BASES.get(toKey(pack, offset)) ?? null
}

export function keepDeltaBase(pack: PackSource, offset: number, base: DeltaBase): void {
  if (base.bytes.length <= MAX_OBJECT_BYTES) BASES.set(toKey(pack, offset), base)
}

function toKey(pack: PackSource, offset: number): string {
  let number = NUMBERS.get(pack)
  if (number === undefined) {
    packs += 1
    number = packs
    NUMBERS.set(pack, number)
  }
  return `${number}:${offset}`
}
