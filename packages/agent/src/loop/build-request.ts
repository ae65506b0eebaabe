import type Anthropic from '@anthropic-ai/sdk'
import type { ModelRequest } from '../model/model-call.ts'
import type { ConversationHeader } from '../model/transcript.ts'
import type { AssistantRow, UserRow } from './read-state.ts'

export interface RequestOptions {
  /** Maximum number of tokens in a reply. */
  readonly maxOutput: number
  /** `adaptive` requests adaptive thinking explicitly. `omit` uses the model's default. */
  readonly thinking: 'adaptive' | 'omit'
  /** Null omits it from the request, because some endpoints do not support it. */
  readonly effort: 'low' | 'medium' | 'high' | null
  readonly caching: boolean
  /**
   * Maximum number of tool calls to run per reply, from 1 to 8. If it is 1, the request disables
   * parallel tool use.
   */
  readonly parallelCalls: number
}

/**
 * Builds the request that continues a conversation. Earlier content is resent byte for byte. Only
 * the cache breakpoints move, and the API does not treat them as content.
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
    // An empty reply adds no message, so the user messages around it are merged.
    if (last?.role === 'user' && row.role === 'user') last.content = [...last.content, ...content]
    else messages.push({ role: row.role, content })
  }
  return messages
}

/**
 * Converts a reply to a form that the API accepts as input. The API rejects blank text and unsigned
 * thinking, which truncated replies can contain.
 */
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

/**
 * Sets cache breakpoints on the last two user messages. A cache lookup starts at a breakpoint and
 * checks at most 20 blocks before it.
 */
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
