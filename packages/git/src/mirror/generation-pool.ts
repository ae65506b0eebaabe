import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedCache, buildBoundedCache } from '../objects/bounded-cache.ts'
import { type Generation, openGeneration } from './generation.ts'
import { type GenerationLease, leaseGeneration } from './generation-lease.ts'

/** A generation in use. It stays on disk and in memory until it is released. */
export interface LeasedGeneration {
  readonly generation: Generation
  release(): Promise<void>
}

/** The generations that this process has open. */
export interface GenerationPool {
  /**
   * Leases the current generation of a mirror. Returns null when it does not exist, is damaged or
   * is being removed.
   */
  leaseCurrent(mirrorDir: string): Promise<LeasedGeneration | null>
  lease(dir: string): Promise<LeasedGeneration>
  /** Excludes this generation from future leases, because its contents cannot be read. */
  discard(generation: Generation): Promise<void>
  touchLeases(): Promise<void>
  releaseAll(): Promise<void>
}

interface Live {
  readonly generation: Generation
  readonly lease: GenerationLease
  users: number
}

export function buildGenerationPool(maxIdleBytes: number): GenerationPool {
  const live = new Map<string, Promise<Live>>()
  const idle: BoundedCache<Generation> = buildBoundedCache(maxIdleBytes, (generation) => generation.indexBytes())

  const start = async (dir: string): Promise<Live> => {
    const lease = await leaseGeneration(dir)
    try {
      const known = idle.get(dir)
      const generation = known ?? (await openGeneration(dir))
      known?.reopen()
      if (known) await known.refresh()
      idle.delete(dir)
      return { generation, lease, users: 0 }
    } catch (error) {
      idle.delete(dir)
      await lease.release()
      throw error
    }
  }

  const lease = async (dir: string): Promise<LeasedGeneration> => {
    const starting = live.get(dir) ?? start(dir)
    live.set(dir, starting)
    const entry = await starting.catch((error) => {
      if (live.get(dir) === starting) live.delete(dir)
      throw error
    })
    // The last user may have released it during the wait. In that case its lease file no longer
    // exists.
    if (live.get(dir) !== starting) return lease(dir)
    entry.users++
    let released = false
    return {
      generation: entry.generation,
      async release() {
        if (released) return
        released = true
        if (--entry.users > 0) return
        if (live.get(dir) === starting) {
          live.delete(dir)
          idle.set(dir, entry.generation)
        }
        await entry.generation.close()
        await entry.lease.release()
      },
    }
  }

  return {
    lease,
    async leaseCurrent(mirrorDir) {
      const name = await readFile(join(mirrorDir, 'current'), 'utf8').catch(() => '')
      if (!/^g-[\w-]+$/.test(name)) return null
      return lease(join(mirrorDir, name)).catch(() => null)
    },
    async discard(generation) {
      live.delete(generation.dir)
      idle.delete(generation.dir)
      const current = join(generation.dir, '..', 'current')
      const name = await readFile(current, 'utf8').catch(() => '')
      if (generation.dir.endsWith(`/${name}`)) await rm(current, { force: true })
    },
    async touchLeases() {
      for (const entry of live.values()) await entry.then(({ lease }) => lease.touch()).catch(() => undefined)
    },
    async releaseAll() {
      for (const starting of live.values()) {
        await starting
          .then(async ({ generation, lease }) => {
            await generation.close()
            await lease.release()
          })
          .catch(() => undefined)
      }
      live.clear()
    },
  }
}
