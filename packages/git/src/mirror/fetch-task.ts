import type { GitHttpOptions } from '../http/git-http.ts'
import type { BuildInput, MirrorLimits } from './build-mirror.ts'

/** The only message to a child process. It is plain data, because it is sent through a pipe. */
export interface FetchMessage {
  readonly task: FetchTask
  readonly data: unknown
}

export type FetchTask =
  | ({ readonly kind: 'build' } & BuildInput)
  | {
      readonly kind: 'update'
      readonly http: GitHttpOptions
      /** Directory of the version to update. The child only reads it. */
      readonly version: string
      readonly tip: BuildInput['tip']
      /** Directory where the child stores the pack. */
      readonly staging: string
      readonly limits: MirrorLimits
    }
  | {
      readonly kind: 'blobs'
      readonly http: GitHttpOptions
      readonly wants: readonly string[]
      readonly staging: string
      readonly limits: MirrorLimits
    }

/** The child's only response. `pack` is the name of the staged pack. */
export type FetchAnswer =
  | { readonly ok: true; readonly pack: string | null }
  | {
      readonly ok: false
      readonly kind: 'http' | 'repository' | 'other'
      readonly code: string
      readonly message: string
      readonly status: number | null
      readonly retryAfterMs: number | null
    }
