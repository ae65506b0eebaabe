import type { GitHttpOptions } from '../http/git-http.ts'
import { DEFAULT_TREE_LIMITS } from '../objects/check-trees.ts'
import type { PackLimits } from '../objects/scan-pack.ts'
import { DEFAULT_WORK_TREE_LIMITS } from '../workspace/work-tree-limits.ts'
import type { MirrorLimits } from './build-mirror.ts'
import type { ForkLimits } from './fork-fetch.ts'
import { DEFAULT_LOCK_TIMES, type LockTimes } from './update-lock.ts'

/** The logger methods that the mirrors use. Compatible with pino. */
export interface MirrorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Deadlines, retry limits, agents and the observer of requests. See {@link GitHttpOptions}. */
export type HttpPolicy = Pick<
  GitHttpOptions,
  'deadlines' | 'attempts' | 'maxRetryWaitMs' | 'retryPauseMs' | 'agents' | 'onAnswer'
>

export interface MirrorOptions {
  /**
   * Dedicated directory for the mirrors. It is created if it does not exist, and several processes
   * may share it.
   */
  readonly cacheDir: string
  /** Maximum total size of packs on disk for all repositories, in bytes. Default: 10 GiB. */
  readonly maxBytes?: number
  /** Maximum size of one download, in bytes. Default: 256 MiB. */
  readonly maxRepositoryBytes?: number
  /**
   * Blobs of at least this many bytes are downloaded only on demand, if the host supports it. Null
   * downloads all blobs. The default is one byte more than the largest file that a work tree reads,
   * so that searches never download blobs.
   */
  readonly blobLimit?: number | null
  /** Default: nothing is logged. */
  readonly log?: MirrorLog
  /**
   * Where downloads run. With `child` (the default), every download that may be large runs in a separate process,
   * which requires the compiled module next to this one, or `childModule`. With `inline`, all
   * downloads run in this process.
   */
  readonly coldBuild?: 'child' | 'inline'
  /**
   * URL of a compiled module that calls `serveFetch`, such as `fetch-child.js`, which is the
   * default. Required to connect through other agents, or if `fetch-child.js` is not next to this
   * module, as when running from source.
   */
  readonly childModule?: URL
  /** Passed to the `toAgents` of the child, which builds its agents from it. Plain data. */
  readonly childData?: unknown
  /** Environment variables for the child. The child does not inherit any other variables. */
  readonly childEnv?: Readonly<Record<string, string>>
  readonly childLimits?: Partial<ForkLimits>
  readonly http?: HttpPolicy
  readonly limits?: { readonly pack?: Partial<MirrorLimits['pack']>; readonly tree?: Partial<MirrorLimits['tree']> }
  /**
   * Maximum size of the pack indexes kept in memory for idle repositories, in bytes. Default: 64
   * MiB.
   */
  readonly maxCachedIndexBytes?: number
  /** Maximum size of the file contents kept in memory, in bytes. Default: 256 MiB. */
  readonly maxCachedBlobBytes?: number
  /**
   * Maximum number of packs in a mirror version. With more packs, or after 30% growth, a fresh copy
   * is built in the background. Default: 50.
   */
  readonly maxPacks?: number
  readonly lockTimes?: Partial<LockTimes>
}

export interface MirrorSettings {
  readonly cacheDir: string
  readonly maxBytes: number
  readonly maxRepositoryBytes: number
  readonly blobLimit: number | null
  readonly log: MirrorLog
  /** Child process settings, or null if downloads run in this process. */
  readonly child: {
    readonly module: URL
    readonly data: unknown
    readonly env: Readonly<Record<string, string>>
    readonly limits: ForkLimits
  } | null
  readonly http: HttpPolicy
  readonly limits: MirrorLimits
  readonly maxCachedIndexBytes: number
  readonly maxCachedBlobBytes: number
  readonly maxPacks: number
  readonly lockTimes: LockTimes
}

const MiB = 1024 * 1024

/**
 * Limits for unpacking a download. They grow with the limits on the download's size and on its
 * number of entries.
 */
const toPackLimits = (maxRepositoryBytes: number, maxEntries: number): PackLimits => ({
  maxObjectBytes: 64 * MiB,
  maxTotalBytes: Math.max(2048 * MiB, maxRepositoryBytes * 8),
  // A commit at depth 1 cannot have many more objects than its tree can have entries.
  maxObjects: Math.ceil(maxEntries * 1.5),
  maxDeltaDepth: 512,
  maxDeltaBytes: 256 * MiB,
})

export function toMirrorSettings(options: MirrorOptions): MirrorSettings {
  const maxRepositoryBytes = options.maxRepositoryBytes ?? 256 * MiB
  const tree = { ...DEFAULT_TREE_LIMITS, ...options.limits?.tree }
  const child = {
    module: options.childModule ?? new URL('./fetch-child.js', import.meta.url),
    data: options.childData,
    env: options.childEnv ?? {},
    limits: { maxResidentBytes: 2048 * MiB, maxBuildMs: 120_000, ...options.childLimits },
  }
  return {
    cacheDir: options.cacheDir,
    maxBytes: options.maxBytes ?? 10 * 1024 * MiB,
    maxRepositoryBytes,
    blobLimit: options.blobLimit === undefined ? DEFAULT_WORK_TREE_LIMITS.maxFileBytes + 1 : options.blobLimit,
    log: options.log ?? { info: () => {}, warn: () => {} },
    child: options.coldBuild === 'inline' ? null : child,
    http: options.http ?? {},
    limits: {
      pack: { ...toPackLimits(maxRepositoryBytes, tree.maxEntries), ...options.limits?.pack },
      tree,
    },
    maxCachedIndexBytes: options.maxCachedIndexBytes ?? 64 * MiB,
    maxCachedBlobBytes: options.maxCachedBlobBytes ?? 256 * MiB,
    maxPacks: options.maxPacks ?? 50,
    lockTimes: { ...DEFAULT_LOCK_TIMES, ...options.lockTimes },
  }
}
