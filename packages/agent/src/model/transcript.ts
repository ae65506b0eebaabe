import type Anthropic from '@anthropic-ai/sdk'
import type { Usage } from '@corrigenda/contracts'

/**
 * Start of a conversation. It is stored byte for byte as sent, because the API rejects preserved
 * thinking if the bytes before it have changed.
 */
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
      /** May be empty if the row only reports usage. */
      readonly content: Anthropic.ContentBlockParam[]
      /** Usage of calls that failed before this row was created. */
      readonly failed?: TurnUsage
    }
  | {
      readonly role: 'assistant'
      readonly content: Anthropic.ContentBlock[]
      readonly stopReason: string | null
      readonly usage: TurnUsage
      readonly requestId: string | null
      /** Usage of the attempts that failed before this reply. */
      readonly failed?: TurnUsage
    }

/** Token counts reported for one model call. */
export interface TurnUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

export interface StoredRow {
  /** 0 for the run's first conversation, incremented for each new one. */
  readonly conversation: number
  /** Position within the run, starting at 0 and without gaps. */
  readonly seq: number
  readonly row: TranscriptRow
}

/** What the run has read of its sources, by source name. */
export type SourcesRead = Readonly<
  Record<
    string,
    {
      readonly ranges: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>
      readonly rows: readonly string[]
      readonly diffs: readonly string[]
    }
  >
>

/** A follow-up message that arrived during the run. */
interface CallerMessage {
  readonly id: string
  readonly prompt: string
}

/**
 * Durable transcript of one run. `append` is a single transaction. It stores the rows, the
 * workspace changes since the last append, the total usage so far, the IDs of the caller messages
 * that the rows deliver, and the run's cost that counts against budgets, or null if unknown. It throws
 * if this worker no longer owns the run, and the caller must then stop immediately. `reads` is what
 * the run has read of its sources.
 */
export interface TranscriptStore {
  load(): Promise<readonly StoredRow[]>
  append(
    rows: readonly StoredRow[],
    usage: Usage,
    delivers?: readonly string[],
    budgetCostUsd?: number | null,
    reads?: SourcesRead,
  ): Promise<void>
  /**
   * Returns the caller's new messages, oldest first. They are sent to the model before its next
   * turn.
   */
  listMessages?(): Promise<readonly CallerMessage[]>
}

/** Returns the sum of both usages. Either one may be absent. */
export function addUsage(a: TurnUsage | null | undefined, b: TurnUsage | null | undefined): TurnUsage | null {
  if (!a || !b) return a ?? b ?? null
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  }
}
