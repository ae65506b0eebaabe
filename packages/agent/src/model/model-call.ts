import type Anthropic from '@anthropic-ai/sdk'
import type { TurnUsage } from './transcript.ts'

/**
 * Maximum number of tool calls per turn. It is low, because a prompt cache lookup covers only the
 * last 20 blocks.
 */
export const MAX_CALLS = 8

/** A single request, as sent to the API. Requests are always streamed. */
export type ModelRequest = Omit<Anthropic.MessageCreateParamsStreaming, 'stream'>

export interface ModelReply {
  readonly content: Anthropic.ContentBlock[]
  readonly stopReason: string | null
  /** Refusal category returned by the API, otherwise null. */
  readonly refusalCategory: string | null
  readonly usage: TurnUsage
  readonly requestId: string | null
  /** Usage of the failed attempts before this reply. Absent if no attempt failed. */
  readonly failed?: TurnUsage
}

interface CallControl {
  readonly signal: AbortSignal
  /**
   * Time limit for this call in milliseconds, including retries and waits. Exceeding it throws
   * `model_deadline`.
   */
  readonly timeoutMs?: number
}

/**
 * Requests one turn from the model. Throws ModelError, or the signal's reason when aborted. If a
 * retryable ModelError has a `retryAfterMs` above 0, the caller must release its slot and retry
 * after that time.
 */
export type CallModel = (request: ModelRequest, control: CallControl) => Promise<ModelReply>
