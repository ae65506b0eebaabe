import { isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'
import { refuseExtraKeys, refuseUnlessBoolean } from './json-object.ts'

const fields: Record<string, ReadonlySet<string>> = {
  text: new Set(['type', 'text', 'cache_control', 'citations']),
  tool_use: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name']),
  tool_result: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name']),
  thinking: new Set(['type', 'thinking', 'signature']),
  redacted_thinking: new Set(['type', 'data']),
  image: new Set(['type', 'source', 'cache_control', 'transformations']),
  document: new Set(['type', 'source', 'cache_control', 'citations', 'context', 'title']),
  search_result: new Set(['type', 'content', 'source', 'title', 'cache_control', 'citations']),
}
const assistantOnly = ['tool_use', 'thinking', 'redacted_thinking']
const userOnly = ['tool_result', 'image', 'document', 'search_result']
const insideResult = ['text', 'image', 'document', 'search_result']

/**
 * Checks the shape of a single message block.
 * @param at the block's path, such as `messages.0.content.1`
 */
export function checkBlock(block: unknown, role: unknown, at: string): void {
  if (!isObject(block)) refuse(`${at}: Input should be a valid dictionary`)
  const type = String(block.type)
  const known = fields[type]
  if (!known) {
    refuse(`${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`)
  }
  if (block.cache_control != null && (type === 'thinking' || type === 'redacted_thinking')) {
    refuse(`${at}.${type}.cache_control: cache_control cannot be set on thinking blocks`)
  }
  refuseExtraKeys(block, known, `${at}.${type}`)
  if (assistantOnly.includes(type) && role !== 'assistant') {
    refuse(`${at}: \`${type}\` blocks can only be in \`assistant\` messages`)
  }
  if (userOnly.includes(type) && role !== 'user') refuse(`${at}: \`${type}\` blocks can only be in \`user\` messages`)
  if (type === 'text') checkText(block, at)
  if (type === 'tool_use') checkToolUse(block, at)
  if (type === 'tool_result') checkToolResult(block, at)
  if (type === 'thinking') checkThinking(block, at)
}

function checkText(block: JsonObject, at: string): void {
  if (typeof block.text !== 'string') refuse(`${at}.text.text: Field required`)
  if (block.text === '') refuse(`${at}: text content blocks must be non-empty`)
  if (block.text.trim() === '') refuse(`${at}: text content blocks must contain non-whitespace text`)
}

function checkToolUse(block: JsonObject, at: string): void {
  if (typeof block.id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block.id)) {
    refuse(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  }
  if (typeof block.name !== 'string' || !/^[a-zA-Z0-9_-]{1,200}$/.test(block.name)) {
    refuse(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`)
  }
  if (!isObject(block.input)) refuse(`${at}.tool_use.input: Input should be a valid dictionary`)
}

function checkToolResult(block: JsonObject, at: string): void {
  if (typeof block.tool_use_id !== 'string') refuse(`${at}.tool_result.tool_use_id: Field required`)
  refuseUnlessBoolean(block.is_error, `${at}.tool_result.is_error`)
  const { content } = block
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content)) {
    refuse(`${at}.tool_result.content: Input should be a valid string or list`)
  }
  if (block.is_error && (content === undefined || content.length === 0)) {
    refuse(`${at}.tool_result: content cannot be empty if \`is_error\` is true`)
  }
  if (!Array.isArray(content)) return
  for (const [index, part] of content.entries()) {
    const inner = `${at}.tool_result.content.${index}`
    if (!isObject(part) || !insideResult.includes(String(part.type))) {
      refuse(`${inner}: Input tag does not match any of the expected tags: ${insideResult.join(', ')}`)
    }
    refuseExtraKeys(part, fields[String(part.type)] ?? new Set(), inner)
    if (part.type === 'text') checkText(part, inner)
  }
}

function checkThinking(block: JsonObject, at: string): void {
  if (typeof block.thinking !== 'string') refuse(`${at}.thinking.thinking: Field required`)
  if (typeof block.signature !== 'string') refuse(`${at}.thinking.signature: Field required`)
}
