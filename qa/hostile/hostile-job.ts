/** A message to the worker process. */
export type HostileJob =
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'work'
      readonly cacheDir: string
      readonly url: string
      readonly tenant: string
      readonly lazyPath: string | null
    }

export interface HostileReport {
  /** Code of the error that ended the job. Null on success. */
  readonly refused: string | null
  readonly message: string | null
  /** The first 500 paths. */
  readonly paths: readonly string[]
  readonly count: number
  readonly ms: number
  /** Longest time in milliseconds that the event loop was blocked. */
  readonly delayMs: number
}
