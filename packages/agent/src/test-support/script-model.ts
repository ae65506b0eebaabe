import type Anthropic from '@anthropic-ai/sdk'
import type { CallModel, ModelReply, ModelRequest } from '../model/model-call.ts'
import type { TurnUsage } from '../model/transcript.ts'

export type ScriptedCall = readonly [tool: string, input: unknown]

export interface ScriptedTurn {
  readonly calls?: readonly ScriptedCall[]
  readonly text?: string
  readonly stopReason?: string | null
  readonly usage?: Partial<TurnUsage>
  readonly throws?: unknown
  readonly content?: Anthropic.ContentBlock[]
}

interface ScriptedModel {
  readonly callModel: CallModel
  readonly requests: ModelRequest[]
}

export const CHANGED = { outcome: 'changed', title: 'Correct the page', body: 'As asked.' } as const

/**
 * Builds a model that replies with the given turns in order. For a stateless model, `turns` is a
 * function of the request.
 */
export function scriptModel(turns: readonly ScriptedTurn[] | ((request: ModelRequest) => ScriptedTurn)): ScriptedModel {
  const requests: ModelRequest[] = []
  const callModel: CallModel = async (request, { signal }) => {
    signal.throwIfAborted()
    requests.push(structuredClone(request))
    const turn = typeof turns === 'function' ? turns(request) : turns[requests.length - 1]
    if (turn === undefined) throw new Error(`the script has no turn ${requests.length}`)
    if (turn.throws !== undefined) throw turn.throws
    return toReply(turn, request.messages.length)
  }
  return { callModel, requests }
}

function toReply(turn: ScriptedTurn, number: number): ModelReply {
  const calls = turn.calls ?? []
  const content =
    turn.content ??
    ([
      ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text, citations: null }]),
      ...calls.map(([name, input], index) => ({ type: 'tool_use', id: `toolu_${number}_${index}`, name, input })),
    ] as Anthropic.ContentBlock[])
  const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, ...turn.usage }
  const stopReason = turn.stopReason === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : turn.stopReason
  return { content, stopReason, refusalCategory: null, usage, requestId: `req_${number}` }
}
