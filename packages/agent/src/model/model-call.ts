import type Anthropic from '@anthropic-ai/sdk'
import type { TurnUsage } from './transcript.ts'

/** A single request as it is sent. Requests are always streamed. */
export type ModelRequest = Anthropic.MessageStreamParams

export interface ModelReply {
  readonly content: Anthropic.ContentBlock[]
  readonly stopReason: string | null
  /** Refusal category returned by the API, otherwise null. */
  readonly refusalCategory: string | null
  readonly usage: TurnUsage
  readonly requestId: string | null
  /** Usage of the attempts that failed before this reply; absent if there were none. */
  readonly failed?: TurnUsage
}

export interface CallControl {
  readonly signal: AbortSignal
  /**
   * Time limit of this call in milliseconds, including retries and waits. `model_deadline` is
   * thrown when it is exceeded.
   */
  readonly timeoutMs?: number
}

/**
 * Requests one turn from the model. Throws ModelError, or the signal's reason when aborted. If
 * `retryAfterMs` of a ModelError is over one minute, the caller must release its slot and try again
 * after that time.
 */
export type CallModel = (request: ModelRequest, control: CallControl) => Promise<ModelReply>
