import type Anthropic from '@anthropic-ai/sdk'
import type { Tool } from '../tools/tool.ts'
import type { AgentDeps, AgentOptions } from './agent-input.ts'
import type { BudgetCode } from './check-budget.ts'
import { findNestedInstructions } from './find-nested-instructions.ts'
import { BUDGET_WARNING, CALL_CUT_OFF, CONTEXT_WARNING, CUT_OFF, GO_ON, NUDGE, STUCK_NOTE } from './notes.ts'
import type { InstructionFile } from './read-instructions.ts'
import { type AssistantRow, type RunState, toCalls } from './read-state.ts'
import { restrictReading } from './restrict-reading.ts'
import { runTools, type ToolOutcome } from './run-tools.ts'

interface AnswerReplyInput {
  readonly deps: AgentDeps
  readonly tools: readonly Tool[]
  readonly state: RunState
  readonly row: AssistantRow
  readonly options: AgentOptions
  /** Instruction files quoted in the first message. */
  readonly instructions: readonly InstructionFile[]
  /** The budget that is closest to exhaustion. */
  readonly budget: { readonly code: BudgetCode; readonly share: number }
  /** Returns the state that a user message with this content would produce. Stores nothing. */
  readonly peek: (content: Anthropic.ContentBlockParam[]) => RunState
  readonly signal: AbortSignal
}

interface Answer {
  readonly content: Anthropic.ContentBlockParam[]
  readonly outcomes: readonly ToolOutcome[]
}

const WARN_SHARE = 0.8

/**
 * Builds the user message that answers a reply. It contains the tool results, followed by the
 * harness's notes. Tool calls in a truncated reply are not run.
 */
export async function answerReply(input: AnswerReplyInput): Promise<Answer> {
  const calls = toCalls(input.row)
  if (input.row.stopReason === 'max_tokens') {
    const outcomes = calls.map((call) => ({ call, text: CALL_CUT_OFF, isError: true }))
    return { content: [...toResultBlocks(outcomes), ...toNotes(input, [CUT_OFF])], outcomes }
  }
  if (calls.length === 0) {
    return { content: toNotes(input, [input.row.stopReason === 'pause_turn' ? GO_ON : NUDGE]), outcomes: [] }
  }
  const { deps, tools, state, signal } = input
  const context = {
    ...restrictReading(deps),
    repository: deps.workspace,
    whole: deps.whole ?? deps.workspace,
    pages: deps.pages,
    policy: deps.policy,
    knownSecrets: deps.knownSecrets ?? [],
    finish: state.finish,
    reads: state.reads,
    lastTurn: state.wrapUp?.spent === true,
  }
  // Only the error type is logged, because third-party messages may contain paths or other data.
  const onFault = (error: unknown, tool: string) =>
    deps.log?.('tool failed', { tool, error: error instanceof Error ? error.name : typeof error })
  const outcomes = await runTools({ tools, context, calls, maxCalls: input.options.parallelCalls, signal, onFault })
  const content = toResultBlocks(outcomes)
  const after = input.peek(content)
  if (after.accepted !== null) return { content, outcomes }
  const nested = await findNestedInstructions(context.workspace, state, outcomes, input.instructions)
  return {
    content: [...content, ...toNotes(input, [...nested, ...(after.repeats === 3 ? [STUCK_NOTE] : [])])],
    outcomes,
  }
}

function toResultBlocks(outcomes: readonly ToolOutcome[]): Anthropic.ContentBlockParam[] {
  return outcomes.map(({ call, text, isError }) => ({
    type: 'tool_result',
    tool_use_id: call.id,
    content: text,
    ...(isError ? { is_error: true } : {}),
  }))
}

function toNotes(input: AnswerReplyInput, notes: readonly string[]): Anthropic.TextBlockParam[] {
  const { state, budget, options } = input
  const texts = [...notes]
  if (state.wrapUp === null) {
    if (state.contextTokens > options.softContextTokens && !state.warned.context) texts.push(CONTEXT_WARNING)
    if (budget.share >= WARN_SHARE && budget.share < 1 && !state.warned.budget) texts.push(BUDGET_WARNING)
  }
  return texts.map((text) => ({ type: 'text', text }))
}
