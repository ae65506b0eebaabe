import { isObject, type RequestMessage, readMessageMark, refuse, toBlocks } from '@corrigenda/demo/messages-api'
import { checkBlock } from './check-block.ts'
import { refuseExtraKeys } from './json-object.ts'

const messageFields = new Set(['role', 'content'])
const maxMessages = 100_000

/**
 * Checks the conversation's roles, order and blocks, then the pairing of tool calls with their
 * results.
 */
export function checkMessages(value: unknown, hasTools: boolean): void {
  if (value === undefined) refuse('messages: Field required')
  if (!Array.isArray(value)) refuse('messages: Input should be a valid list')
  if (value.length === 0) refuse('messages: at least one message is required')
  if (value.length > maxMessages) refuse(`messages: at most ${maxMessages} messages are allowed`)
  for (const [index, message] of value.entries()) checkShape(message, index)
  const messages = value as RequestMessage[]
  if (messages[0]?.role !== 'user') refuse('messages: first message must use the "user" role')
  checkOrder(messages)
  checkPairing(messages, hasTools)
}

function checkShape(message: unknown, index: number): void {
  const at = `messages.${index}`
  if (!isObject(message)) refuse(`${at}: Input should be a valid dictionary`)
  if (message.role !== 'user' && message.role !== 'assistant') {
    refuse(`${at}.role: Input should be 'user' or 'assistant'`)
  }
  refuseExtraKeys(message, messageFields, at)
  const { content, role } = message
  if (content === undefined) refuse(`${at}.content: Field required`)
  if (typeof content !== 'string' && !Array.isArray(content)) {
    refuse(`${at}.content: Input should be a valid string or list`)
  }
  if (content.length === 0) refuse(`${at}: all messages must have non-empty content`)
  const blocks: unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  for (const [position, block] of blocks.entries()) checkBlock(block, role, `${at}.content.${position}`)
}

function checkOrder(messages: RequestMessage[]): void {
  const last = messages.at(-1)
  if (last?.role === 'assistant' && readMessageMark(last) !== 'paused') {
    refuse('This model does not support assistant message prefill. The conversation must end with a user message.')
  }
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]
    if (message.role !== 'assistant' || before?.role !== 'assistant') continue
    if (readMessageMark(before) !== 'paused') {
      refuse(`messages.${index}: an assistant message may follow another assistant message only if that one was paused`)
    }
  }
}

function checkPairing(messages: RequestMessage[], hasTools: boolean): void {
  const seen = new Set<string>()
  let open: string[] = []
  for (const [index, message] of messages.entries()) {
    const blocks = toBlocks(message.content)
    if (!hasTools && blocks.some((block) => block.type === 'tool_use' || block.type === 'tool_result')) {
      refuse('tools: Requests which include `tool_use` or `tool_result` blocks must define tools')
    }
    checkResults(blocks, open, index)
    open = []
    for (const [position, block] of blocks.entries()) {
      if (block.type !== 'tool_use') continue
      if (seen.has(block.id)) refuse(`messages.${index}.content.${position}: \`tool_use\` ids must be unique`)
      seen.add(block.id)
      open.push(block.id)
    }
  }
  if (open.length > 0) refuseOrphans(open, messages.length - 1)
}

function checkResults(blocks: ReturnType<typeof toBlocks>, open: string[], index: number): void {
  const withResult = new Set<string>()
  let sawOther = false
  for (const [position, block] of blocks.entries()) {
    if (block.type !== 'tool_result') {
      sawOther = true
      continue
    }
    const id = block.tool_use_id
    if (!open.includes(id)) {
      refuse(
        `messages.${index}.content.${position}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
    if (withResult.has(id)) {
      refuse(
        `messages.${index}.content.${position}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      )
    }
    withResult.add(id)
    if (sawOther) refuse(`messages.${index}: \`tool_result\` blocks must come before any other content`)
  }
  const orphans = open.filter((id) => !withResult.has(id))
  if (orphans.length > 0) refuseOrphans(orphans, index - 1)
}

function refuseOrphans(ids: string[], index: number): never {
  refuse(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  )
}
