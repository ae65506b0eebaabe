import type Anthropic from '@anthropic-ai/sdk'
import { describeLimits } from '../policy/path-policy.ts'
import {
  type AgentDeps,
  type AgentInput,
  type AgentOptions,
  type AgentResult,
  DEFAULT_OPTIONS,
  type StopCode,
} from './agent-input.ts'
import { answerReply } from './answer-reply.ts'
import { buildFirstMessage, quoteMessage } from './build-first-message.ts'
import { buildHandover } from './build-handover.ts'
import { buildRequest } from './build-request.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { checkBudget, describeBudget } from './check-budget.ts'
import { describeProblems, describeViolations } from './describe-stop.ts'
import { detectFramework } from './detect-framework.ts'
import { HARNESS_VERSION } from './harness-version.ts'
import { ModelError } from './model-error.ts'
import { toWrapUp } from './notes.ts'
import { type AssistantRow, type RunState, readState, toCalls } from './read-state.ts'
import { toFinished } from './to-finished.ts'
import { toApiTool } from './tool.ts'
import { ALL_TOOLS } from './tools/all-tools.ts'
import type { StoredRow, TranscriptRow } from './transcript.ts'

/** New conversations that may take over within one run. */
const MAX_HANDOVERS = 2
/** Seconds a model call may run past the wall clock budget: a tenth of it, at most a minute. */
const MAX_GRACE_SECONDS = 60

/**
 * Work on one prompt until the model finishes, a limit stops it, or the API asks to come back later. Resumes from the transcript: every
 * decision is a function of the rows in it. Throws the signal's reason when aborted, and whatever `transcript.append` throws.
 */
export async function runAgent(deps: AgentDeps, input: AgentInput, signal: AbortSignal): Promise<AgentResult> {
  const options: AgentOptions = { ...DEFAULT_OPTIONS, ...input.options }
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
    const stored = added.map((row, index) => ({ conversation, seq: rows.length + index, row }))
    const state = read([...rows, ...stored])
    await deps.transcript.append(stored, state.usage, delivers)
    rows.push(...stored)
    return state
  }

  async function stop(code: StopCode, message: string): Promise<AgentResult> {
    const checks = await deps.checkDocs({ workspace: deps.workspace, scope: 'changed' })
    return { kind: 'stopped', code, message, checks, usage: read(rows).usage }
  }

  async function startConversation(state: RunState, reason: string): Promise<AgentResult | null> {
    const conversation = state.conversation + 1
    if (conversation > MAX_HANDOVERS) {
      return await stop('context_exhausted', `The work did not fit into ${MAX_HANDOVERS + 1} conversations. ${reason}`)
    }
    const framework = detectFramework(await deps.workspace.listBase())
    const prompt = {
      framework,
      limits: describeLimits(deps.policy),
      instructionPaths: input.instructions.map((file) => file.path),
      projectInstructions: input.projectInstructions ?? '',
    }
    const header = {
      system: [{ type: 'text' as const, text: buildSystemPrompt(prompt) }],
      tools: tools.map((tool) => toApiTool(tool, options.strict)),
      model: input.model,
      harnessVersion: HARNESS_VERSION,
    }
    const unspent = state.wrapUp?.spent === false ? `\n${toWrapUp(state.wrapUp.code)}` : ''
    const handover = conversation === 0 ? null : `${await buildHandover(deps, state.viewed)}${unspent}`
    const content = buildFirstMessage({ ...input, handover, messages: state.messages })
    await append(conversation, [
      { role: 'header', content: header },
      { role: 'user', content },
    ])
    await deps.onProgress?.({ type: 'conversation', conversation, reason })
    return null
  }

  /** Ask for the next turn and store the reply; a result when the run ends or pauses here. */
  async function takeTurn(state: RunState): Promise<AgentResult | null> {
    if (state.header === null) throw new Error('a turn needs a conversation')
    const maxOutput = state.cutOff ? options.maxOutput * 2 : options.maxOutput
    const grace = Math.min(MAX_GRACE_SECONDS, input.budgets.maxSeconds / 10)
    const timeoutMs = Math.ceil((Math.max(0, input.budgets.maxSeconds - elapsed()) + grace) * 1000)
    try {
      const request = buildRequest(state.header, state.rows, { ...options, maxOutput })
      const reply = await deps.callModel(request, { signal, timeoutMs })
      const { content, stopReason, usage, requestId } = reply
      const after = await append(state.conversation, [{ role: 'assistant', content, stopReason, usage, requestId }])
      const text = content
        .flatMap((block) => (block.type === 'text' ? [block.text] : []))
        .join('\n')
        .slice(0, 1000)
      await deps.onProgress?.({ type: 'turn', turn: after.usage.turns, text, stopReason, usage: after.usage })
      if (stopReason === 'refusal' && reply.refusalCategory !== null) {
        deps.log?.('the model refused', { category: reply.refusalCategory, requestId })
      }
      return null
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError)) throw error
      deps.log?.('model call failed', { code: error.code, requestId: error.requestId })
      return await endOfCall(state, error)
    }
  }

  async function endOfCall(state: RunState, error: ModelError): Promise<AgentResult | null> {
    // The call has waited as long as a slot may be held for it.
    if (error.retryable && (error.retryAfterMs ?? 0) > 0) {
      const retryAt = new Date(now().getTime() + (error.retryAfterMs ?? 0))
      return { kind: 'deferred', retryAt, reason: error.message, usage: state.usage }
    }
    const fresh = !state.rows.some((row) => row.role === 'assistant')
    switch (error.code) {
      case 'model_context_exceeded':
      case 'model_prefix_invalid':
        return fresh ? await stop('model_bad_request', error.message) : await startConversation(state, error.message)
      case 'model_deadline':
        return await stop('budget_time', describeBudget('budget_time', input.budgets))
      case 'model_rate_limited':
      case 'model_stalled':
        return await stop('model_unavailable', error.message)
      default:
        return await stop(error.code, error.message)
    }
  }

  function isStale({ header }: RunState): boolean {
    return header?.harnessVersion !== HARNESS_VERSION || header.model !== input.model
  }

  for (;;) {
    signal.throwIfAborted()
    const state = read(rows)
    const last = state.rows.at(-1)
    let result: AgentResult | null

    if (state.accepted !== null) return await toFinished(deps, state.accepted, state.usage)
    if (last === undefined) result = await startConversation(state, 'start')
    else if (isStale(state)) result = await startConversation(state, 'the model or this service changed')
    else if (last.role === 'assistant') result = await answer(state, last)
    else result = await proceed(state)
    if (result !== null) return result
  }

  /** The last row is the model's: run what it asked for, or say what is wrong with it. */
  async function answer(state: RunState, row: AssistantRow): Promise<AgentResult | null> {
    switch (row.stopReason) {
      case 'refusal':
        return await stop('model_refused', 'The model declined to work on this request.')
      case 'model_context_window_exceeded':
        return await startConversation(state, 'The conversation outgrew the model.')
      case 'tool_use':
      case 'end_turn':
      case 'stop_sequence':
      case 'pause_turn':
      case 'max_tokens':
        break
      default:
        return await stop(
          'model_bad_reply',
          `The model ended its turn in a way this service does not know (${String(row.stopReason).slice(0, 60)}).`,
        )
    }
    if (state.wrapUp?.spent === true && toCalls(row).length === 0) {
      return await stop(state.wrapUp.code, describeBudget(state.wrapUp.code, input.budgets))
    }
    if (state.textOnly > 3)
      return await stop('no_finish', 'The model stopped calling tools and did not finish, although it was asked to.')
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

  /** The last row is ours: stop for what it tells, or send it. */
  async function proceed(state: RunState): Promise<AgentResult | null> {
    const { refused } = state.finish
    if (refused.policy >= 2) return await stop('policy_violation', await describeViolations(deps, state))
    if (refused.problems >= 3) return await stop('checks_failed', await describeProblems(deps))
    if (state.repeats >= 5)
      return await stop('stuck', 'The model repeated the same call five times with the same result.')
    if (state.wrapUp?.spent === true)
      return await stop(state.wrapUp.code, describeBudget(state.wrapUp.code, input.budgets))
    if (state.contextTokens > options.hardContextTokens)
      return await startConversation(state, 'The conversation became too long.')
    const budget = spentBudget(state)
    if (state.wrapUp === null && budget.share >= 1) {
      const content: Anthropic.TextBlockParam[] = [{ type: 'text', text: toWrapUp(budget.code) }]
      await append(state.conversation, [{ role: 'user', content }])
      return null
    }
    return (await tellMessages(state)) ? null : await takeTurn(state)
  }

  /** What the caller has said since belongs into the next turn. */
  async function tellMessages({ conversation }: RunState): Promise<boolean> {
    const messages = (await deps.transcript.listMessages?.()) ?? []
    if (messages.length === 0) return false
    const content = messages.flatMap(({ prompt }) => quoteMessage(prompt))
    await append(
      conversation,
      [{ role: 'user', content }],
      messages.map(({ id }) => id),
    )
    return true
  }

  function spentBudget(state: RunState) {
    return checkBudget(input.budgets, state.usage, elapsed())
  }
}
