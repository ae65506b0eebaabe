import {
  type ModelBlock,
  type RequestMessage,
  readMessageMark,
  type ToolUseBlock,
  toBlocks,
} from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'
import type { ModelTurn } from './model-script.ts'

/** One item in a scripted turn. It is JSON-serializable. */
export type ScriptItem =
  | { text: string }
  | { thinking: string }
  | { tool: string; input?: Record<string, unknown> }
  | { fault: Fault }
  | { hold: string }
  | { delay: number }
  | { stop: string }

export type ScriptTurn = readonly ScriptItem[]

const maxFinishes = 4

/**
 * Converts a scripted turn to a model script turn.
 * @param key counter key for this turn's fault, so that it occurs once even if the turn is repeated
 */
export function toModelTurn(turn: ScriptTurn, key: string): ModelTurn {
  const content: ModelBlock[] = []
  const said: ModelTurn = { content }
  for (const [index, item] of turn.entries()) {
    if ('text' in item) content.push({ type: 'text', text: item.text })
    if ('thinking' in item) content.push({ type: 'thinking', thinking: item.thinking })
    if ('tool' in item) content.push({ type: 'tool_use', name: item.tool, input: item.input ?? {} })
    if ('fault' in item) said.fault = { key: `${key}/${index}`, ...item.fault }
    if ('hold' in item) said.hold = item.hold
    if ('delay' in item) said.delayMs = item.delay
    if ('stop' in item) said.stop = item.stop
  }
  return said
}

/** Counts the model's turns in these messages, excluding broken and paused responses. */
function countTurns(messages: readonly RequestMessage[]): number {
  return messages.filter((message) => message.role === 'assistant' && readMessageMark(message) === 'said').length
}

/**
 * Returns the next turn of a script, given the messages since the script started. After the last
 * turn, calls `finish`. Repeats the call when asked to confirm or correct it, up to four calls in
 * total.
 */
export function nextScriptTurn(
  turns: readonly ScriptTurn[],
  messages: readonly RequestMessage[],
  key: string,
): ModelTurn {
  const index = countTurns(messages)
  const turn = turns[index]
  if (turn) return { ...toModelTurn(turn, `${key}/${index}`), label: `${key}/${index}` }
  const finishes = messages.flatMap(findFinishes)
  const label = `${key}/end`
  if (finishes.length >= maxFinishes) return { label, content: [{ type: 'text', text: 'There is nothing to add.' }] }
  const closing = finishes.at(-1)?.input ?? {
    outcome: 'changed',
    title: 'Apply the scripted change',
    body: 'A test script made this change. No AI was used.',
  }
  const text = finishes.length === 0 ? 'All steps are done.' : 'Confirmed.'
  return {
    label,
    content: [
      { type: 'text', text },
      { type: 'tool_use', name: 'finish', input: closing },
    ],
  }
}

function findFinishes(message: RequestMessage): ToolUseBlock[] {
  if (message.role !== 'assistant') return []
  return toBlocks(message.content)
    .filter((block) => block.type === 'tool_use')
    .filter((call) => call.name === 'finish')
}
