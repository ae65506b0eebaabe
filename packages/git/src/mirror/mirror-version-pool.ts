import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedCache, buildBoundedCache } from '../objects/bounded-cache.ts'
import { type MirrorVersion, openMirrorVersion } from './mirror-version.ts'
import { leaseMirrorVersion, type MirrorVersionLease } from './mirror-version-lease.ts'

/** A version in use. It stays on disk and in memory until it is released. */
export interface LeasedMirrorVersion {
  readonly version: MirrorVersion
  release(): Promise<void>
}

/** The versions that this process has open. */
export interface MirrorVersionPool {
  /**
   * Leases the current version of a mirror. Returns null if it does not exist, is damaged or is
   * being removed.
   */
  leaseCurrent(mirrorDir: string): Promise<LeasedMirrorVersion | null>
  lease(dir: string): Promise<LeasedMirrorVersion>
  /** Excludes a version with unreadable contents from future leases. */
  discard(version: MirrorVersion): Promise<void>
  touchLeases(): Promise<void>
  releaseAll(): Promise<void>
}

interface Live {
  readonly version: MirrorVersion
  readonly lease: MirrorVersionLease
  users: number
}

export function buildMirrorVersionPool(maxIdleBytes: number): MirrorVersionPool {
  const live = new Map<string, Promise<Live>>()
  const idle: BoundedCache<MirrorVersion> = buildBoundedCache(maxIdleBytes, (version) => version.indexBytes())

  const start = async (dir: string): Promise<Live> => {
    const lease = await leaseMirrorVersion(dir)
    try {
      const known = idle.get(dir)
      const version = known ?? (await openMirrorVersion(dir))
      known?.reopen()
      if (known) await known.refresh()
      idle.delete(dir)
      return { version, lease, users: 0 }
    } catch (error) {
      idle.delete(dir)
      await lease.release()
      throw error
    }
  }

  const lease = async (dir: string): Promise<LeasedMirrorVersion> => {
    const starting = live.get(dir) ?? start(dir)
    live.set(dir, starting)
    const entry = await starting.catch((error) => {
      if (live.get(dir) === starting) live.delete(dir)
      throw error
    })
    // The last user may have released the version during the wait. In that case, its lease file no
    // longer exists.
    if (live.get(dir) !== starting) return lease(dir)
    entry.users++
    let released = false
    return {
      version: entry.version,
      async release() {
        if (released) return
        released = true
        if (--entry.users > 0) return
        if (live.get(dir) === starting) {
          live.delete(dir)
          idle.set(dir, entry.version)
        }
        await entry.version.close()
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
    async discard(version) {
      live.delete(version.dir)
      idle.delete(version.dir)
      const current = join(version.dir, '..', 'current')
      const name = await readFile(current, 'utf8').catch(() => '')
      if (version.dir.endsWith(`/${name}`)) await rm(current, { force: true })
    },
    async touchLeases() {
      for (const entry of live.values()) await entry.then(({ lease }) => lease.touch()).catch(() => undefined)
    },
    async releaseAll() {
      for (const starting of live.values()) {
        await starting
          .then(async ({ version, lease }) => {
            await version.close()
            await lease.release()
          })
          .catch(() => undefined)
      }
      live.clear()
    },
  }
}
