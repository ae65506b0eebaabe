import type { TranscriptBlock } from '@corrigenda/contracts'

/** Maximum text length per returned block, in UTF-16 code units. */
export const MAX_BLOCK_TEXT = 20_000
/** Maximum text length within a tool input, and limits for nested input. */
const MAX_INPUT_TEXT = 10_000
const MAX_INPUT_ITEMS = 200
const MAX_INPUT_DEPTH = 8

type Fields = Readonly<Record<string, unknown>>
type Json = Extract<TranscriptBlock, { type: 'tool_use' }>['input']

/**
 * Converts one stored message for display. Omits signatures and encrypted thinking. Truncates long
 * text and counts the omitted characters. For an unknown block, returns only its type.
 */
export function toTranscriptBlocks(row: { role: string; content: unknown }): TranscriptBlock[] {
  if (row.role === 'header') return [toHeader(toFields(row.content))]
  const content = typeof row.content === 'string' ? [{ type: 'text', text: row.content }] : row.content
  return Array.isArray(content) ? content.map((block: unknown) => toBlock(toFields(block))) : []
}

function toHeader(header: Fields): TranscriptBlock {
  const { text: system, cut } = clip(toText(header.system))
  const tools = Array.isArray(header.tools) ? header.tools.map((tool: unknown) => readText(toFields(tool).name)) : []
  return {
    type: 'header',
    model: readText(header.model),
    harnessVersion: readText(header.harnessVersion),
    system,
    tools,
    cut,
  }
}

function toBlock(block: Fields): TranscriptBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', ...clip(readText(block.text)) }
    case 'thinking':
      return { type: 'thinking', ...clip(readText(block.thinking)) }
    case 'tool_use':
      return { type: 'tool_use', id: readText(block.id), name: readText(block.name), ...clipInput(block.input) }
    case 'tool_result': {
      const { tool_use_id: id, is_error: isError, content } = block
      return { type: 'tool_result', toolUseId: readText(id), isError: isError === true, ...clip(toText(content)) }
    }
    default:
      return { type: 'other', kind: readText(block.type).slice(0, 100) || 'unknown' }
  }
}

function clip(text: string, max = MAX_BLOCK_TEXT): { text: string; cut: number } {
  // A surrogate pair cut in half would not be valid text.
  return text.length <= max ? { text, cut: 0 } : { text: text.slice(0, max).toWellFormed(), cut: text.length - max }
}

function clipInput(input: unknown): { input: Json; cut: number } {
  let cut = 0
  let items = 0
  let remaining = MAX_BLOCK_TEXT
  const visit = (value: unknown, depth: number): Json => {
    items += 1
    if (typeof value === 'string') {
      const clipped = clip(value, Math.min(MAX_INPUT_TEXT, remaining))
      cut += clipped.cut
      remaining -= clipped.text.length
      return clipped.text
    }
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
    if (depth >= MAX_INPUT_DEPTH || items > MAX_INPUT_ITEMS) return '…'
    if (Array.isArray(value)) return value.slice(0, MAX_INPUT_ITEMS).map((item) => visit(item, depth + 1))
    const entries = Object.entries(toFields(value)).slice(0, MAX_INPUT_ITEMS)
    return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, 200), visit(item, depth + 1)]))
  }
  const clipped = visit(input ?? null, 0)
  return { input: clipped, cut }
}

/** Returns the text in a string or a list of content blocks. */
function toText(content: unknown): string {
  if (!Array.isArray(content)) return readText(content)
  return content
    .map((block: unknown) => {
      const { type, text } = toFields(block)
      return type === 'text' ? readText(text) : `[${readText(type)}]`
    })
    .join('\n')
}

const toFields = (value: unknown): Fields => (value instanceof Object ? (value as Fields) : {})
const readText = (value: unknown): string => (typeof value === 'string' ? value : '')
