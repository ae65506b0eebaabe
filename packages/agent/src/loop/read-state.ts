import type Anthropic from '@anthropic-ai/sdk'
import { findToolCall, type ToolInputs, type Usage } from '@corrigenda/contracts'
import { type PriceTable, toCost, toPromptTokens } from '../model/to-cost.ts'
import {
  addUsage,
  type ConversationHeader,
  type StoredRow,
  type TranscriptRow,
  type TurnUsage,
} from '../model/transcript.ts'
import { findListedSources } from '../sources/describe-sources.ts'
import { type FinishMark, type FinishState, NOT_FINISHED, toFinishMark } from '../tools/finish-state.ts'
import { addSourceRead, type SourceReads } from '../tools/source-reads.ts'
import type { ToolKind } from '../tools/tool.ts'
import type { BudgetCode } from './check-budget.ts'
import { BUDGET_WARNING, CALLER_SAYS, CONTEXT_WARNING, REQUEST_FOLLOWS, readWrapUp } from './notes.ts'

export type AssistantRow = Extract<TranscriptRow, { role: 'assistant' }>
export type UserRow = Extract<TranscriptRow, { role: 'user' }>

/**
 * Run state. It depends only on the transcript, so that a resumed run behaves exactly like an
 * uninterrupted one.
 */
export interface RunState {
  readonly nextSeq: number
  /** Number of the current conversation, or -1 before the first. */
  readonly conversation: number
  readonly header: ConversationHeader | null
  /** User and assistant rows of the current conversation. */
  readonly rows: readonly (AssistantRow | UserRow)[]
  readonly usage: Usage
  /**
   * Approximate number of tokens in the next prompt, or 0 before the conversation's first reply.
   */
  readonly contextTokens: number
  /** Number of consecutive replies without a tool call, counted back from the latest reply. */
  readonly textOnly: number
  /** True if any reply in the run was truncated. */
  readonly cutOff: boolean
  readonly warned: { readonly budget: boolean; readonly context: boolean }
  /** The exhausted budget, or null before the wrap-up turn is announced. */
  readonly wrapUp: { readonly code: BudgetCode; readonly spent: boolean } | null
  readonly finish: FinishState
  /** Input of the accepted `finish` call, or null before a call is accepted. */
  readonly accepted: ToolInputs['finish'] | null
  /**
   * Number of times the most repeated call returned the same result since the last successful
   * write.
   */
  readonly repeats: number
  readonly viewed: readonly string[]
  /** What the run has read of its sources. */
  readonly reads: SourceReads
  /** Sources that the run has read, or whose recent changes the model has received. */
  readonly sourcesShown: readonly string[]
  /** Models that refused the request. */
  readonly refusedBy: readonly string[]
  /** Messages that the caller sent during the run, oldest first. */
  readonly messages: readonly string[]
}

interface ReadStateDeps {
  readonly prices: PriceTable
  readonly toKind: (toolName: string) => ToolKind
}

export function readState(deps: ReadStateDeps, stored: readonly StoredRow[]): RunState {
  const fold = new Fold(deps)
  for (const { conversation, row } of stored) fold.add(conversation, row)
  return fold.toState(stored.length)
}

/** Estimate for text whose token count the API has not reported. */
const CHARS_PER_TOKEN = 4

/** Computes the state from the rows, which must be added in order. */
class Fold {
  private conversation = -1
  private header: ConversationHeader | null = null
  private rows: (AssistantRow | UserRow)[] = []
  private usage: Usage = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0,
    turns: 0,
  }
  private contextTokens = 0
  private textOnly = 0
  private cutOff = false
  private warned = { budget: false, context: false }
  private wrapUp: { code: BudgetCode; spent: boolean } | null = null
  private reviewed: FinishState['reviewed'] = NOT_FINISHED.reviewed
  private refused = { ...NOT_FINISHED.refused }
  private accepted: ToolInputs['finish'] | null = null
  private repeats = new Map<string, number>()
  private readonly viewed = new Set<string>()
  private reads: SourceReads = {}
  private readonly listed = new Set<string>()
  private readonly refusedBy = new Set<string>()
  private promptTokens = 0
  private readonly messages: string[] = []

  constructor(private readonly deps: ReadStateDeps) {}

  add(conversation: number, row: TranscriptRow): void {
    if (row.role === 'header') {
      this.conversation = conversation
      this.header = row.content
      this.rows = []
      this.contextTokens = 0
      this.promptTokens = 0
      this.textOnly = 0
      this.warned.context = false
      this.reviewed = null
      this.repeats.clear()
      return
    }
    if (row.failed !== undefined) this.addFailed(row.failed)
    if (row.role === 'assistant') this.addAssistant(row)
    else if (this.rows.length > 0) this.addUser(row)
    else for (const name of findListedSources(toTextsBeforeRequest(row))) this.listed.add(name)
    this.rows.push(row)
  }

  private addAssistant(row: AssistantRow): void {
    this.promptTokens = toPromptTokens(row.usage)
    this.spend(row.usage, 1)
    this.contextTokens = this.promptTokens + row.usage.outputTokens
    if (row.stopReason === 'refusal' && this.header !== null) this.refusedBy.add(this.header.model)
    this.textOnly = toCalls(row).length === 0 ? this.textOnly + 1 : 0
    if (row.stopReason === 'max_tokens') this.cutOff = true
    if (this.wrapUp !== null) this.wrapUp.spent = true
  }

  /** Adds the usage of failed attempts, priced as if each had sent the previous reply's prompt. */
  private addFailed(usage: TurnUsage): void {
    this.spend(usage, 0, this.promptTokens)
  }

  private spend(used: TurnUsage, turns: number, promptTokens: number = toPromptTokens(used)): void {
    const cost = toCost(this.deps.prices, this.header?.model ?? '', used, promptTokens)
    const { costUsd } = this.usage
    this.usage = {
      ...(addUsage(this.usage, used) ?? used),
      costUsd: cost === null || costUsd === null ? null : costUsd + cost,
      turns: this.usage.turns + turns,
    }
  }

  private addUser(row: UserRow): void {
    if (this.contextTokens > 0) this.contextTokens += Math.ceil(JSON.stringify(row.content).length / CHARS_PER_TOKEN)
    const previous = this.rows.at(-1)
    if (previous?.role === 'assistant') this.addResults(toCalls(previous), toResults(row))
    for (const [index, block] of row.content.entries()) {
      if (block.type !== 'text') continue
      const next = row.content[index + 1]
      if (block.text === CALLER_SAYS && next?.type === 'text') this.messages.push(next.text)
      if (block.text === BUDGET_WARNING) this.warned.budget = true
      if (block.text === CONTEXT_WARNING) this.warned.context = true
      const code = readWrapUp(block.text)
      if (code !== null) this.wrapUp = { code, spent: false }
    }
  }

  private addResults(calls: readonly Anthropic.ToolUseBlock[], results: ReadonlyMap<string, ToolResult>): void {
    const keys = new Set<string>()
    for (const call of calls) {
      const result = results.get(call.id)
      if (result === undefined) continue
      keys.add(JSON.stringify([call.name, call.input, result.text]))
      const known = findToolCall(call)
      if (known?.name === 'view' && !result.isError && known.input.path !== undefined) {
        const { path, source } = known.input
        this.viewed.add(source === undefined ? path : `${path} (source ${source})`)
      }
      if (known !== null && !result.isError) this.reads = addSourceRead(this.reads, known, result.text)
      if (this.deps.toKind(call.name) === 'write' && !result.isError) {
        this.repeats.clear()
        this.reviewed = null
      }
      if (this.deps.toKind(call.name) === 'finish') this.addFinish(toFinishMark(result.text), call)
    }
    for (const key of keys) this.repeats.set(key, (this.repeats.get(key) ?? 0) + 1)
  }

  private addFinish(mark: FinishMark | null, call: Anthropic.ToolUseBlock): void {
    const input = Object(call.input) as ToolInputs['finish']
    if (mark === 'accepted') this.accepted = input
    if (mark === 'review') this.reviewed = input.outcome
    if (mark === 'problems' || mark === 'policy' || mark === 'edits' || mark === 'leak') this.refused[mark] += 1
  }

  toState(nextSeq: number): RunState {
    const { conversation, header, rows, usage, contextTokens, textOnly, cutOff, warned, wrapUp, accepted } = this
    const finish = { reviewed: this.reviewed, refused: this.refused }
    const repeats = Math.max(0, ...this.repeats.values())
    const viewed = [...this.viewed]
    return {
      nextSeq,
      conversation,
      header,
      rows,
      usage,
      contextTokens,
      textOnly,
      cutOff,
      warned,
      wrapUp,
      finish,
      accepted,
      repeats,
      viewed,
      reads: this.reads,
      sourcesShown: [...new Set([...Object.keys(this.reads), ...this.listed])].sort(),
      refusedBy: [...this.refusedBy],
      messages: [...this.messages],
    }
  }
}

interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

export function toCalls(row: AssistantRow): Anthropic.ToolUseBlock[] {
  return row.content.filter((block) => block.type === 'tool_use')
}

/** The request may contain the same text as the blocks before it. */
function toTextsBeforeRequest(row: UserRow): string[] {
  const texts = row.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return texts.slice(0, Math.max(0, texts.indexOf(REQUEST_FOLLOWS)))
}

function toResults(row: UserRow): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>()
  for (const block of row.content) {
    if (block.type !== 'tool_result') continue
    const text = typeof block.content === 'string' ? block.content : ''
    results.set(block.tool_use_id, { text, isError: block.is_error === true })
  }
  return results
}
