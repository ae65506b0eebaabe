import type Anthropic from '@anthropic-ai/sdk'
import type { Usage } from '@corrigenda/contracts'

/** What starts a conversation. Stored as sent, byte for byte: preserved thinking is bound to it. */
export interface ConversationHeader {
  readonly system: Anthropic.TextBlockParam[]
  readonly tools: Anthropic.Tool[]
  readonly model: string
  readonly harnessVersion: string
}

export type TranscriptRow =
  | { readonly role: 'header'; readonly content: ConversationHeader }
  | {
      readonly role: 'user'
      /** May be empty, where only usage is told. */
      readonly content: Anthropic.ContentBlockParam[]
      /** What calls had used that failed before this row was made. */
      readonly failed?: TurnUsage
    }
  | {
      readonly role: 'assistant'
      readonly content: Anthropic.ContentBlock[]
      readonly stopReason: string | null
      readonly usage: TurnUsage
      readonly requestId: string | null
      /** What attempts had used that failed before this reply. */
      readonly failed?: TurnUsage
    }

/** Tokens of one model call, as reported. */
export interface TurnUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

export interface StoredRow {
  /** 0 for the first conversation of the run; one more after each handover. */
  readonly conversation: number
  /** Position within the run, from 0, without gaps. */
  readonly seq: number
  readonly row: TranscriptRow
}

/** A follow-up that came while the run was at work. */
export interface CallerMessage {
  readonly id: string
  readonly prompt: string
}

/**
 * Durable transcript of one run. `append` is one transaction: the rows, what the workspace changed since the last append, and the
 * running usage, and which messages of the caller the rows deliver. It throws when this worker no longer owns the run; the caller must stop at once.
 */
export interface TranscriptStore {
  load(): Promise<readonly StoredRow[]>
  append(rows: readonly StoredRow[], usage: Usage, delivers?: readonly string[]): Promise<void>
  /** What the caller has said since, oldest first: told to the model before its next turn. */
  listMessages?(): Promise<readonly CallerMessage[]>
}
