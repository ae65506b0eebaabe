import type { GitHttpOptions } from '../http/git-http.ts'
import type { BuildInput, MirrorLimits } from './build-mirror.ts'

/** What a child is asked to do; plain data, since it goes through a pipe. */
export type FetchTask =
  | ({ readonly kind: 'build' } & BuildInput)
  | {
      readonly kind: 'update'
      readonly http: GitHttpOptions
      /** The generation to continue; only read. */
      readonly generation: string
      readonly tip: BuildInput['tip']
      /** Where the pack is left. */
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

/** What the child answers: it only ever sends one. `pack` is the name of what was staged. */
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
