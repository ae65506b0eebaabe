import {
  hashPrefixes,
  type MessagesRequest,
  type RequestBlock,
  readMark,
  refuse,
  signThinking,
  toBlocks,
} from '@corrigenda/demo/messages-api'

/**
 * Checks preserved thinking. Every thinking block must follow the exact prefix that it was created
 * for, so a conversation that is not append-only is rejected. The last assistant message, and any
 * other that contains thinking, must start with thinking.
 */
export function checkThinkingBlocks(request: MessagesRequest): void {
  const prefixes = hashPrefixes(request)
  const last = request.messages.findLastIndex((message) => message.role === 'assistant')
  for (const [index, message] of request.messages.entries()) {
    if (message.role !== 'assistant') continue
    const blocks = toBlocks(message.content)
    const thinks = blocks.some(isThinking)
    const first = blocks[0]
    if (first && !isThinking(first) && (thinks || index === last)) {
      refuse(
        `messages.${index}.content.0: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. The thinking of the latest assistant message must be passed back unchanged.`,
      )
    }
    for (const [position, block] of blocks.entries()) {
      const at = `messages.${index}.content.${position}`
      if (block.type === 'redacted_thinking') refuse(`${at}: Invalid \`data\` in \`redacted_thinking\` block`)
      if (block.type !== 'thinking') continue
      const mark = readMark(block.signature)
      if (!mark || block.signature !== signThinking(prefixes[index] ?? '', block.thinking, mark)) {
        refuse(
          `${at}: Invalid \`signature\` in \`thinking\` block. The block or a preceding part (model, system, tools, messages) was changed.`,
        )
      }
    }
  }
}

function isThinking(block: RequestBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}
