export interface CallOptions {
  /** Stops this call; the signal of the client stops it too. */
  readonly signal?: AbortSignal
}
