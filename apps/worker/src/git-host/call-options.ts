export interface CallOptions {
  /** Aborts this call; the signal of the client aborts it too. */
  readonly signal?: AbortSignal
}
