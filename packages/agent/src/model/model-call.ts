import type Anthropic from '@anthropic-ai/sdk'
import type { TurnUsage } from './transcript.ts'

/** One request, as it goes over the wire; always streamed. */
export type ModelRequest = Anthropic.MessageStreamParams

export interface ModelReply {
  readonly content: Anthropic.ContentBlock[]
  readonly stopReason: string | null
  /** The category the API gives for a refusal; null otherwise. */
  readonly refusalCategory: string | null
  readonly usage: TurnUsage
  readonly requestId: string | null
  /** What attempts had used that failed before this reply; absent when there was none. */
  readonly failed?: TurnUsage
}

export interface CallControl {
  readonly signal: AbortSignal
  /** Milliseconds this call may take in all, retries and waits included; past it `model_deadline` is thrown. */
  readonly timeoutMs?: number
}

/**
 * Ask the model for one turn. Throws ModelError, or the signal's reason when aborted. A ModelError with `retryAfterMs` over a minute
 * means: give the slot back and come again then.
 */
export type CallModel = (request: ModelRequest, control: CallControl) => Promise<ModelReply>
