import type { TurnUsage } from './transcript.ts'

/** Stable error codes for model calls. */
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

interface ModelErrorDetails {
  /** True if the same request may succeed when resent. */
  readonly retryable?: boolean
  /** Wait requested by the API, in milliseconds, or null if the API did not request one. */
  readonly retryAfterMs?: number | null
  readonly requestId?: string | null
}

/**
 * Thrown when a model call returns no usable reply. The message contains no credentials and may be
 * shown to the job owner.
 */
export class ModelError extends Error {
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  readonly requestId: string | null
  /** Usage of the failed attempts, or null if the API did not report any. Set by the caller. */
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

/** Returns the error for a reply that cannot be used. `reason` completes a sentence. */
export function badReply(reason: string): ModelError {
  return new ModelError('model_bad_reply', `The model API sent a reply that cannot be used: ${reason}.`, {
    retryable: true,
  })
}
