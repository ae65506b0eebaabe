export interface CallOptions {
  /** Aborts this call. The client's signal also aborts it. */
  readonly signal?: AbortSignal
}
