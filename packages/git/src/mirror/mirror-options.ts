import type { GitHttpOptions } from '../http/git-http.ts'
import { DEFAULT_TREE_LIMITS } from '../objects/check-trees.ts'
import type { PackLimits } from '../objects/scan-pack.ts'
import { DEFAULT_WORK_TREE_LIMITS } from '../workspace/work-tree-limits.ts'
import type { MirrorLimits } from './build-mirror.ts'
import type { ForkLimits } from './fork-fetch.ts'
import { DEFAULT_LOCK_TIMES, type LockTimes } from './update-lock.ts'

/** The methods of a logger that the mirrors use; compatible with pino. */
export interface MirrorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Deadlines and retry limits of requests; see {@link GitHttpOptions}. */
export type HttpPolicy = Pick<GitHttpOptions, 'deadlines' | 'attempts' | 'maxRetryWaitMs' | 'retryPauseMs'>

export interface MirrorOptions {
  /** Directory for the mirrors only; created when missing. Several processes may share it. */
  readonly cacheDir: string
  /** Maximum bytes of packs on disk, over all repositories. Default 10 GiB. */
  readonly maxBytes?: number
  /** Maximum bytes of one download. Default 256 MiB. */
  readonly maxRepositoryBytes?: number
  /**
   * Blobs of at least this many bytes are downloaded only on demand, where the host supports it.
   * Null disables this. The default is one byte more than the largest file that a work tree reads,
   * so that searches of the agent never download a blob.
   */
  readonly blobLimit?: number | null
  readonly log: MirrorLog
  /**
   * Process for downloads. With `child`, every download that is not provably small runs in a
   * separate process. That process needs the compiled module next to this one, or `childModule`.
   * With `inline`, all downloads run in this process.
   */
  readonly coldBuild: 'child' | 'inline'
  /**
   * URL of the compiled `fetch-child.js`, when it is not next to this module (running from source).
   */
  readonly childModule?: URL
  /** Environment of the child, which inherits no other variables. */
  readonly childEnv?: Readonly<Record<string, string>>
  readonly childLimits?: Partial<ForkLimits>
  readonly http?: HttpPolicy
  readonly limits?: { readonly pack?: Partial<MirrorLimits['pack']>; readonly tree?: Partial<MirrorLimits['tree']> }
  /** Maximum bytes of pack indexes that idle repositories may keep in memory. Default 64 MiB. */
  readonly maxCachedIndexBytes?: number
  /** Maximum bytes of file contents kept in memory. Default 256 MiB. */
  readonly maxCachedBlobBytes?: number
  /**
   * Maximum number of packs. With more packs, or 30 % growth, a fresh copy is built in the
   * background. Default 50.
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
  /** Settings of the child process; null when downloads run in this process. */
  readonly child: {
    readonly module: URL
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

const DEFAULT_PACK_LIMITS: PackLimits = {
  maxObjectBytes: 64 * MiB,
  maxTotalBytes: 2048 * MiB,
  // The objects of a commit at depth 1 cannot be many more than the entries that its tree may have.
  maxObjects: 150_000,
  maxDeltaDepth: 512,
  maxDeltaBytes: 256 * MiB,
}

export function toMirrorSettings(options: MirrorOptions): MirrorSettings {
  const maxRepositoryBytes = options.maxRepositoryBytes ?? 256 * MiB
  const child = {
    module: options.childModule ?? new URL('./fetch-child.js', import.meta.url),
    env: options.childEnv ?? {},
    limits: { maxResidentBytes: 2048 * MiB, maxBuildMs: 120_000, ...options.childLimits },
  }
  return {
    cacheDir: options.cacheDir,
    maxBytes: options.maxBytes ?? 10 * 1024 * MiB,
    maxRepositoryBytes,
    blobLimit: options.blobLimit === undefined ? DEFAULT_WORK_TREE_LIMITS.maxFileBytes + 1 : options.blobLimit,
    log: options.log,
    child: options.coldBuild === 'child' ? child : null,
    http: options.http ?? {},
    limits: {
      pack: { ...DEFAULT_PACK_LIMITS, ...options.limits?.pack },
      tree: { ...DEFAULT_TREE_LIMITS, ...options.limits?.tree },
    },
    maxCachedIndexBytes: options.maxCachedIndexBytes ?? 64 * MiB,
    maxCachedBlobBytes: options.maxCachedBlobBytes ?? 256 * MiB,
    maxPacks: options.maxPacks ?? 50,
    lockTimes: { ...DEFAULT_LOCK_TIMES, ...options.lockTimes },
  }
}
