import type { TurnUsage } from './transcript.ts'

/** Stable names of what can go wrong with a model call. */
export type ModelErrorCode =
  | 'model_bad_request'
  | 'model_unauthorized'
  | 'model_billing'
  | 'model_not_found'
  | 'model_context_exceeded'
  | 'model_prefix_invalid'
  | 'model_rate_limited'
  | 'model_unavailable'
  | 'model_stalled'
  | 'model_bad_reply'
  | 'model_deadline'

export interface ModelErrorDetails {
  /** May the same request succeed when sent again? */
  readonly retryable?: boolean
  /** How long the API asked to wait, in milliseconds; null when it did not say. */
  readonly retryAfterMs?: number | null
  readonly requestId?: string | null
}

/** A model call that gave no usable reply. The message holds no credential and may be shown to the owner of the job. */
export class ModelError extends Error {
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  readonly requestId: string | null
  /** What the failed attempts had used, as far as they told; null when none did. Set by whoever made the call. */
  spent: TurnUsage | null = null

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    details: ModelErrorDetails = {},
  ) {
    super(message)
    this.name = 'ModelError'
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs ?? null
    this.requestId = details.requestId ?? null
  }
}
