import type Anthropic from '@anthropic-ai/sdk'
import type { Usage } from '@corrigenda/contracts'
import { ModelError } from '../model/model-error.ts'
import { toBudgetCost } from '../model/to-cost.ts'
import { addUsage, type StoredRow, type TranscriptRow, type TurnUsage } from '../model/transcript.ts'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import {
  type AgentDeps,
  type AgentInput,
  type AgentOptions,
  type AgentResult,
  DEFAULT_OPTIONS,
  type StopCode,
} from './agent-input.ts'
import { answerReply } from './answer-reply.ts'
import { buildConversation } from './build-conversation.ts'
import { quoteMessage } from './build-first-message.ts'
import { buildRequest } from './build-request.ts'
import { HARNESS_VERSION } from './build-system-prompt.ts'
import { checkBudget, describeBudget } from './check-budget.ts'
import {
  decideAfterModelError,
  describeProblems,
  describeRefusal,
  describeRepeatedLeaks,
  describeTruncation,
  describeViolations,
} from './describe-stop.ts'
import { findTruncation } from './find-truncation.ts'
import { toWrapUp } from './notes.ts'
import { type AssistantRow, type RunState, readState, toCalls } from './read-state.ts'
import { restrictReading } from './restrict-reading.ts'
import { shortenRequests } from './shorten-requests.ts'
import { toFinished } from './verify-finished.ts'

/** Maximum number of conversations that a run can start after its first one. */
const MAX_NEW_CONVERSATIONS = 2
/**
 * Maximum grace period for a model call that exceeds the wall-clock budget. The grace period is a
 * tenth of the budget, up to this value.
 */
const MAX_GRACE_SECONDS = 60

/**
 * Works on a prompt until the model finishes, a limit stops the run, or the run is deferred. Can
 * resume from the transcript, because every decision is a function of its rows. Throws
 * the signal's reason when aborted, and rethrows any error from `transcript.append`.
 */
export async function runAgent(deps: AgentDeps, input: AgentInput, signal: AbortSignal): Promise<AgentResult> {
  const toOptions = (model: string): AgentOptions => ({
    ...DEFAULT_OPTIONS,
    ...input.options,
    ...input.toModelOptions?.(model),
  })
  const { fallbackModel } = toOptions(input.model)
  /** Returns the requested model, or the fallback model if the requested one refused. */
  const pickModel = ({ refusedBy }: RunState) =>
    fallbackModel !== null && refusedBy.includes(input.model) ? fallbackModel : input.model
  /** Usage of calls that failed since the last row was stored. */
  let unbilled: TurnUsage | null = null
  let refusalCategory: string | null = null
  const visible = restrictReading(deps)
  const tools = deps.tools ?? ALL_TOOLS
  const now = deps.now ?? (() => new Date())
  const toKind = (name: string) => tools.find((tool) => tool.name === name)?.kind ?? 'read'
  const rows: StoredRow[] = [...(await deps.transcript.load())]
  const read = (stored: readonly StoredRow[]) => readState({ prices: deps.prices, toKind }, stored)
  const elapsed = () => Math.max(0, (now().getTime() - input.startedAt.getTime()) / 1000)

  async function append(
    conversation: number,
    added: readonly TranscriptRow[],
    delivers: readonly string[] = [],
  ): Promise<RunState> {
    signal.throwIfAborted()
    const stored = attachUnbilledUsage(added, unbilled).map((row, index) => ({
      conversation,
      seq: rows.length + index,
      row,
    }))
    const state = read([...rows, ...stored])
    await deps.transcript.append(stored, state.usage, delivers, toCountedCost(state), state.reads)
    rows.push(...stored)
    unbilled = null
    return state
  }

  /** Stores any usage of failed calls that is not in a row yet, and returns the usage so far. */
  async function flushUsage(): Promise<Usage> {
    const { conversation, usage } = read(rows)
    return unbilled === null ? usage : (await append(conversation, [{ role: 'user', content: [] }])).usage
  }

  async function stop(code: StopCode, message: string): Promise<AgentResult> {
    const usage = await flushUsage()
    const checks = await deps.checkDocs({ workspace: deps.workspace, scope: 'changed' })
    return { kind: 'stopped', code, message, checks, reads: read(rows).reads, usage }
  }

  async function startConversation(state: RunState, reason: string): Promise<AgentResult | null> {
    const conversation = state.conversation + 1
    if (conversation > MAX_NEW_CONVERSATIONS) {
      return await stop(
        'context_exhausted',
        `The task did not fit into ${MAX_NEW_CONVERSATIONS + 1} conversations. ${reason}`,
      )
    }
    const model = pickModel(state)
    const options = toOptions(model)
    const { header, content } = await buildConversation({ deps, input, visible, tools, state, model, options })
    await append(conversation, [
      { role: 'header', content: header },
      { role: 'user', content },
    ])
    await deps.onProgress?.({ type: 'conversation', conversation, reason })
    return null
  }

  /**
   * Requests the next turn and stores the reply. Returns a result if the run stops or is deferred.
   */
  async function takeTurn(state: RunState): Promise<AgentResult | null> {
    if (state.header === null) throw new Error('a turn requires a conversation')
    const options = toOptions(state.header.model)
    const maxOutput = state.cutOff ? Math.min(options.maxOutput * 2, options.maxOutputLimit) : options.maxOutput
    const grace = Math.min(MAX_GRACE_SECONDS, input.budgets.maxSeconds / 10)
    const timeoutMs = Math.ceil((Math.max(0, input.budgets.maxSeconds - elapsed()) + grace) * 1000)
    try {
      const request = buildRequest(state.header, state.rows, { ...options, maxOutput })
      const reply = await deps.callModel(request, { signal, timeoutMs })
      const { content, stopReason, usage, requestId, failed } = reply
      refusalCategory = reply.refusalCategory
      const row = { role: 'assistant', content, stopReason, usage, requestId, ...(failed ? { failed } : {}) } as const
      const after = await append(state.conversation, [row]).catch(async (error: unknown) => {
        // The reply is lost, but it has been paid for.
        unbilled = addUsage(usage, failed)
        await flushUsage().catch(() => {})
        throw error
      })
      const text = content
        .flatMap((block) => (block.type === 'text' ? [block.text] : []))
        .join('\n')
        .slice(0, 1000)
      await deps.onProgress?.({ type: 'turn', turn: after.usage.turns, text, stopReason, usage: after.usage })
      if (stopReason === 'refusal' && reply.refusalCategory !== null) {
        deps.log?.('model refused the request', { category: reply.refusalCategory, requestId })
      }
      return null
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError)) throw error
      unbilled = error.spent
      deps.log?.('model call failed', { code: error.code, requestId: error.requestId })
      return await handleModelError(state, error)
    }
  }

  async function handleModelError(state: RunState, error: ModelError): Promise<AgentResult | null> {
    const isFresh = !state.rows.some((row) => row.role === 'assistant')
    const step = decideAfterModelError(error, { isFresh, budgets: input.budgets })
    switch (step.kind) {
      case 'defer': {
        const retryAt = new Date(now().getTime() + step.afterMs)
        return { kind: 'deferred', retryAt, reason: error.message, usage: await flushUsage() }
      }
      case 'stop':
        return await stop(step.code, step.message)
      case 'new_conversation':
        return await startConversation(state, step.reason)
    }
  }

  function isStale(state: RunState): boolean {
    return state.header?.harnessVersion !== HARNESS_VERSION || state.header.model !== pickModel(state)
  }

  for (;;) {
    signal.throwIfAborted()
    const state = read(rows)
    const last = state.rows.at(-1)
    let result: AgentResult | null

    if (state.accepted !== null) {
      const model = state.header?.model ?? input.model
      const { usage, reads, sourcesShown } = state
      return await toFinished(deps, state.accepted, { model, usage, reads, sourcesShown })
    }
    if (last === undefined) result = await startConversation(state, 'start')
    else if (isStale(state)) result = await startConversation(state, describeChange(state))
    else if (last.role === 'assistant') result = await handleReply(state, last)
    else result = await proceed(state)
    if (result !== null) return result
  }

  /**
   * Handles a transcript that ends with a reply. Runs the reply's tool calls unless it is unusable.
   */
  async function handleReply(state: RunState, row: AssistantRow): Promise<AgentResult | null> {
    switch (row.stopReason) {
      case 'refusal':
        // If a fallback model takes over, the conversation is stale and this case is not reached.
        return await stop('model_refused', describeRefusal(refusalCategory))
      case 'model_context_window_exceeded':
        return await startConversation(state, "The conversation exceeded the model's context window.")
      case 'tool_use':
      case 'end_turn':
      case 'stop_sequence':
      case 'pause_turn':
      case 'max_tokens':
        break
      default:
        return await stop(
          'model_bad_reply',
          `The model ended its turn with an unknown stop reason (${String(row.stopReason).slice(0, 60)}).`,
        )
    }
    const options = toOptions(state.header?.model ?? input.model)
    const cut = options.truncationCheck ? findTruncation(state) : null
    if (cut !== null) return await stop('context_truncated', describeTruncation(cut))
    if (state.wrapUp?.spent === true && toCalls(row).length === 0) {
      return await stop(state.wrapUp.code, describeBudget(state.wrapUp.code, input.budgets))
    }
    if (state.textOnly > 3)
      return await stop(
        'no_finish',
        'The model stopped calling tools and did not finish, although it was asked to continue.',
      )
    const peek = (added: Anthropic.ContentBlockParam[]) =>
      read([...rows, { conversation: state.conversation, seq: rows.length, row: { role: 'user', content: added } }])
    const { content, outcomes } = await answerReply({
      deps,
      tools,
      state,
      row,
      options,
      instructions: input.instructions,
      budget: spentBudget(state),
      peek,
      signal,
    })
    await append(state.conversation, [{ role: 'user', content }])
    for (const { call, isError } of outcomes) {
      const path: unknown = Object(call.input).path
      const shown = typeof path === 'string' ? path.slice(0, 500) : null
      await deps.onProgress?.({ type: 'tool', turn: state.usage.turns, name: call.name, path: shown, isError })
    }
    return null
  }

  /**
   * Handles a transcript that ends with a user message. Requests the next turn unless a limit has
   * been reached.
   */
  async function proceed(state: RunState): Promise<AgentResult | null> {
    const { refused } = state.finish
    if (refused.policy >= 2) return await stop('policy_violation', await describeViolations(deps, state))
    if (refused.leak >= 2) return await stop('source_leak', await describeRepeatedLeaks(deps, state))
    if (refused.problems >= 3) return await stop('checks_failed', await describeProblems(deps))
    if (state.repeats >= 5)
      return await stop('stuck', 'The model repeated the same call five times with the same result.')
    if (state.wrapUp?.spent === true)
      return await stop(state.wrapUp.code, describeBudget(state.wrapUp.code, input.budgets))
    if (state.contextTokens > toOptions(state.header?.model ?? input.model).hardContextTokens)
      return await startConversation(state, 'The conversation became too long.')
    const budget = spentBudget(state)
    if (state.wrapUp === null && budget.share >= 1) {
      const content: Anthropic.TextBlockParam[] = [{ type: 'text', text: toWrapUp(budget.code) }]
      await append(state.conversation, [{ role: 'user', content }])
      return null
    }
    if (await deliverMessages(state)) return null
    const spent = (await deps.describeSpentBudget?.()) ?? null
    return spent === null ? await takeTurn(state) : await stop('budget_month', spent)
  }

  /** Appends new messages from the caller, so that the next turn includes them. */
  async function deliverMessages({ conversation, header }: RunState): Promise<boolean> {
    const messages = (await deps.transcript.listMessages?.()) ?? []
    if (messages.length === 0) return false
    const prompts = messages.map(({ prompt }) => prompt)
    const content = shortenRequests(prompts, toOptions(header?.model ?? input.model)).flatMap(quoteMessage)
    const ids = messages.map(({ id }) => id)
    await append(conversation, [{ role: 'user', content }], ids)
    return true
  }

  function describeChange({ refusedBy, header }: RunState): string {
    return header !== null && refusedBy.includes(header.model)
      ? `${header.model} declined the request. ${fallbackModel} takes over.`
      : 'The model or the service version has changed.'
  }

  function toCountedCost({ usage, header }: RunState) {
    return toBudgetCost(deps.prices, usage, { model: header?.model ?? '', exempt: deps.modelsWithoutCostBudget ?? [] })
  }

  function spentBudget(state: RunState) {
    return checkBudget(input.budgets, { ...state.usage, costUsd: toCountedCost(state) }, elapsed())
  }
}

/** Adds the usage of failed calls to the first row that can store it. */
function attachUnbilledUsage(rows: readonly TranscriptRow[], unbilled: TurnUsage | null): readonly TranscriptRow[] {
  const index = unbilled === null ? -1 : rows.findIndex((row) => row.role !== 'header')
  return rows.map((row, at) => {
    if (at !== index || row.role === 'header') return row
    const failed = addUsage(unbilled, row.failed)
    return failed === null ? row : { ...row, failed }
  })
}
