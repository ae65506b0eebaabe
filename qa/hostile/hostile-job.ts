/** What the worker-like process is told; plain data. */
export type HostileJob =
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'work'
      readonly cacheDir: string
      readonly checkoutDir: string
      readonly url: string
      readonly tenant: string
      readonly lazyPath: string | null
    }

export interface HostileReport {
  /** Code of the error it ended with; null when it came to an end. */
  readonly refused: string | null
  readonly message: string | null
  /** The first 500. */
  readonly paths: readonly string[]
  readonly count: number
  /** `done` or a code; null when it did not come to it. */
  readonly checkout: string | null
  readonly escapes: readonly string[]
  readonly ms: number
  /** Longest time in milliseconds that the event loop was held. */
  readonly delayMs: number
}
