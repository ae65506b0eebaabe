import type { GitHttpOptions } from '../http/git-http.ts'
import type { FairQueue } from './fair-queue.ts'
import type { MirrorSettings } from './mirror-options.ts'
import type { MirrorVersionPool } from './mirror-version-pool.ts'
import type { TurnQueue } from './turn-queue.ts'

export interface MirrorDeps {
  readonly settings: MirrorSettings
  readonly pool: MirrorVersionPool
  /** Allows one update at a time per repository. */
  readonly turns: TurnQueue
  /** Allows one child process at a time. Tenants take turns. */
  readonly builds: FairQueue
  /** When the download of a repository failed because it is too large, by the name of its directory. */
  readonly tooLarge: Map<string, { readonly error: unknown; readonly until: number }>
  /** Kills running child processes when it aborts. */
  readonly closing: AbortSignal
}

export interface CommitRequest {
  /** Name under which the download waits. Names take turns. */
  readonly tenant: string
  /** Name of the mirror's directory in the cache directory. */
  readonly key: string
  readonly tip: { readonly name: string; readonly commit: string }
  readonly http: GitHttpOptions
}
