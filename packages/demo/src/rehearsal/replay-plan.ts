import { type RequestMessage, type ToolResultBlock, toBlocks, toResultText } from '../messages-api/messages-request.ts'
import { readMessageMark } from '../messages-api/sign-thinking.ts'
import type { CallResult, Plan, Step } from './plan/plan.ts'

/**
 * Replays a plan with the results that a conversation already contains. Returns the next turn, or
 * null if the plan has ended.
 */
export function replayPlan(plan: Plan<void>, messages: readonly RequestMessage[]): Step | null {
  let next = plan.next()
  for (const results of readTurns(messages)) {
    if (next.done) return null
    next = plan.next(results)
  }
  return next.done ? null : next.value
}

/**
 * Returns the results of each complete turn, in the order of its calls. Truncated and paused
 * responses ran no calls.
 */
export function readTurns(messages: readonly RequestMessage[]): CallResult[][] {
  const turns: CallResult[][] = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || readMessageMark(message) !== 'said') continue
    const calls = toBlocks(message.content).filter((block) => block.type === 'tool_use')
    const answers = toBlocks(messages[index + 1]?.content ?? []).filter((block) => block.type === 'tool_result')
    turns.push(calls.map((call) => toCallResult(answers.find((one) => one.tool_use_id === call.id))))
  }
  return turns
}

function toCallResult(block: ToolResultBlock | undefined): CallResult {
  if (!block) return { text: 'The call has no result.', isError: true }
  return { text: toResultText(block), isError: block.is_error === true }
}
