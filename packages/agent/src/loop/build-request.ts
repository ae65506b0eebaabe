import type Anthropic from '@anthropic-ai/sdk'
import type { ModelRequest } from '../model/model-call.ts'
import type { ConversationHeader } from '../model/transcript.ts'
import type { AssistantRow, UserRow } from './read-state.ts'

export interface RequestOptions {
  /** Tokens a reply may have. */
  readonly maxOutput: number
  /** `adaptive` asks for it by name; `omit` leaves the model its default. */
  readonly thinking: 'adaptive' | 'omit'
  /** Left out when null: not every endpoint knows it. */
  readonly effort: 'low' | 'medium' | 'high' | null
  readonly caching: boolean
  /** Tool calls of one reply that are run, 1 to 8. With 1 the model is told to make one at a time. */
  readonly parallelCalls: number
}

/**
 * The request that goes on with a conversation. Everything sent before is sent again byte for byte; only cache marks move, which the
 * API does not count as content.
 */
export function buildRequest(
  header: ConversationHeader,
  rows: readonly (AssistantRow | UserRow)[],
  options: RequestOptions,
): ModelRequest {
  const messages = toMessages(rows)
  return {
    model: header.model,
    max_tokens: options.maxOutput,
    system: options.caching ? markLast(header.system) : header.system,
    tools: header.tools,
    messages: options.caching ? markUserMessages(messages) : messages,
    ...(options.parallelCalls === 1 ? { tool_choice: { type: 'auto', disable_parallel_tool_use: true } } : {}),
    ...(options.thinking === 'adaptive' ? { thinking: { type: 'adaptive' } } : {}),
    ...(options.effort === null ? {} : { output_config: { effort: options.effort } }),
  }
}

interface Message {
  role: 'user' | 'assistant'
  content: Anthropic.ContentBlockParam[]
}

function toMessages(rows: readonly (AssistantRow | UserRow)[]): Message[] {
  const messages: Message[] = []
  for (const row of rows) {
    const content = row.role === 'assistant' ? toSendable(row.content) : row.content
    if (content.length === 0) continue
    const last = messages.at(-1)
    // An empty reply leaves no message behind, and what was said around it belongs together.
    if (last?.role === 'user' && row.role === 'user') last.content = [...last.content, ...content]
    else messages.push({ role: row.role, content })
  }
  return messages
}

/** A reply as the API takes it back: blank texts and thinking without its signature (a cut reply has them) are refused there. */
function toSendable(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlockParam[] {
  const kept = content.filter((block) => {
    if (block.type === 'text') return block.text.trim() !== ''
    if (block.type === 'thinking') return block.signature !== ''
    return true
  })
  const onlyThinking = kept.every((block) => block.type === 'thinking' || block.type === 'redacted_thinking')
  return onlyThinking ? [] : (kept as Anthropic.ContentBlockParam[])
}

const MARK = { cache_control: { type: 'ephemeral' } } as const

/** Two marks, on the newest user message and the one before: the cache is looked up from a mark, 20 blocks back at most. */
function markUserMessages(messages: readonly Message[]): Message[] {
  const marked = messages
    .map((message, index) => (message.role === 'user' ? index : -1))
    .filter((index) => index !== -1)
    .slice(-2)
  return messages.map((message, index) =>
    marked.includes(index) ? { role: message.role, content: markLast(message.content) } : message,
  )
}

function markLast<T extends object>(blocks: readonly T[]): T[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...MARK } : block))
}
