import type { GitHttpOptions } from '../http/git-http.ts'
import { defaultTreeLimits } from '../objects/check-trees.ts'
import type { PackLimits } from '../objects/scan-pack.ts'
import { defaultWorkTreeLimits } from '../workspace/work-tree-limits.ts'
import type { MirrorLimits } from './build-mirror.ts'
import type { ForkLimits } from './fork-fetch.ts'
import { defaultLockTimes, type LockTimes } from './update-lock.ts'

/** The part of a logger that the mirrors use; pino fits. */
export interface MirrorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** How patient requests are; see {@link GitHttpOptions}. */
export type HttpPolicy = Pick<GitHttpOptions, 'deadlines' | 'attempts' | 'maxRetryWaitMs' | 'retryPauseMs'>

export interface MirrorOptions {
  /** A directory of our own; made when it is not there. Several processes may share it. */
  readonly cacheDir: string
  /** Bytes of packs on disk, over all repositories. Default 10 GiB. */
  readonly maxBytes?: number
  /** Bytes of one download. Default 256 MiB. */
  readonly maxRepositoryBytes?: number
  /**
   * Blobs of at least this many bytes are left out until somebody needs them, where the host can do that. Null for never. The default
   * is one more than the largest file a work tree reads, so that the agent's searches never download anything.
   */
  readonly blobLimit?: number | null
  readonly log: MirrorLog
  /**
   * Where downloads run: with `child`, whatever is not provably small runs in a process of its own, which needs the compiled module
   * beside this one, or `childModule`. With `inline` everything runs here.
   */
  readonly coldBuild: 'child' | 'inline'
  /** The compiled `fetch-child.js`, when it is not beside this module (running from source). */
  readonly childModule?: URL
  /** Environment of the child; nothing is inherited. */
  readonly childEnv?: Readonly<Record<string, string>>
  readonly childLimits?: Partial<ForkLimits>
  readonly http?: HttpPolicy
  readonly limits?: { readonly pack?: Partial<MirrorLimits['pack']>; readonly tree?: Partial<MirrorLimits['tree']> }
  /** Bytes of pack indexes that idle repositories may keep in memory. Default 64 MiB. */
  readonly maxCachedIndexBytes?: number
  /** Bytes of file contents kept in memory. Default 256 MiB. */
  readonly maxCachedBlobBytes?: number
  /** More packs than this, or 30 % growth, and a fresh copy is made in the background. Default 50. */
  readonly maxPacks?: number
  readonly lockTimes?: Partial<LockTimes>
}

export interface MirrorSettings {
  readonly cacheDir: string
  readonly maxBytes: number
  readonly maxRepositoryBytes: number
  readonly blobLimit: number | null
  readonly log: MirrorLog
  /** Null when first downloads run in this process. */
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

const defaultPackLimits: PackLimits = {
  maxObjectBytes: 64 * MiB,
  maxTotalBytes: 2048 * MiB,
  // A commit at depth 1 cannot have more objects than its tree may have entries, and some.
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
    blobLimit: options.blobLimit === undefined ? defaultWorkTreeLimits.maxFileBytes + 1 : options.blobLimit,
    log: options.log,
    child: options.coldBuild === 'child' ? child : null,
    http: options.http ?? {},
    limits: {
      pack: { ...defaultPackLimits, ...options.limits?.pack },
      tree: { ...defaultTreeLimits, ...options.limits?.tree },
    },
    maxCachedIndexBytes: options.maxCachedIndexBytes ?? 64 * MiB,
    maxCachedBlobBytes: options.maxCachedBlobBytes ?? 256 * MiB,
    maxPacks: options.maxPacks ?? 50,
    lockTimes: { ...defaultLockTimes, ...options.lockTimes },
  }
}
