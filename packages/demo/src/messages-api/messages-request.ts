/**
 * The part of a Messages API request that a model script reads. The server has already checked it.
 */
export interface MessagesRequest {
  model: string
  max_tokens: number
  messages: RequestMessage[]
  system?: string | TextBlock[]
  tools?: RequestTool[]
  tool_choice?: { type: 'auto' | 'none'; disable_parallel_tool_use?: boolean }
  cache_control?: CacheControl | null
  stream?: boolean
}

export interface RequestMessage {
  role: 'user' | 'assistant'
  content: string | RequestBlock[]
}

export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface RequestTool {
  name: string
  description?: string
  strict?: boolean
  input_schema: { type: 'object'; properties?: Record<string, unknown>; required?: string[] }
  cache_control?: CacheControl | null
}

interface TextBlock {
  type: 'text'
  text: string
  cache_control?: CacheControl | null
}
export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: Record<string, unknown>
}
interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string | { type: string; text?: string }[]
  is_error?: boolean
}
interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}
interface OtherBlock {
  type: 'image' | 'document' | 'search_result' | 'redacted_thinking'
}
export type RequestBlock = TextBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | OtherBlock

/** Returns the blocks of a message's content. A string is shorthand for one text block. */
export function toBlocks(content: string | RequestBlock[]): RequestBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Returns the text of a tool result in either of its two shapes. */
export function toResultText(result: ToolResultBlock): string {
  if (result.content === undefined) return ''
  if (typeof result.content === 'string') return result.content
  return result.content.map((part) => part.text ?? '').join('\n')
}
