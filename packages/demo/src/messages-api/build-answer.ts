import { estimateTokens } from './estimate-tokens.ts'
import { fillStrictInput } from './fill-strict-input.ts'
import type { MessagesRequest } from './messages-request.ts'
import type { ModelBlock, ModelTurn } from './model-script.ts'
import { type AnswerMark, hashText, signThinking } from './sign-thinking.ts'

/**
 * A block of the response. `json` is the streamed input of a call. It may be incomplete or invalid
 * JSON.
 */
export type AnswerBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; json: string }

export interface Answer {
  content: AnswerBlock[]
  stopReason: string
  stopDetails: { type: 'refusal'; category: string | null; explanation: string | null } | null
  mark: AnswerMark
}

export interface Draft {
  thinking: string
  blocks: AnswerBlock[]
  stopReason: string
  stopDetails: Answer['stopDetails']
  mark: AnswerMark
}

/** Builds the response blocks of a turn, before `max_tokens` and the signature are applied. */
export function buildDraft(request: MessagesRequest, turn: ModelTurn, prefix: string): Draft {
  const said = allowedBlocks(request, turn.content)
  const thinking = said.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
  const blocks = said
    .filter((block) => block.type !== 'thinking')
    .map((block, index) => toAnswerBlock(request, block, `toolu_${hashText(`${prefix}/${index}`).slice(0, 24)}`))
  const natural = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
  return { thinking, blocks, stopReason: turn.stop ?? natural, stopDetails: null, mark: 'said' }
}

/** Cuts a draft at `max_tokens` and signs its thinking for the prefix. */
export function signDraft(request: MessagesRequest, draft: Draft, prefix: string): Answer {
  const { thinking, blocks, stopReason, stopDetails, mark } = cutAtMaxTokens(draft, request.max_tokens)
  const signature = signThinking(prefix, thinking, mark)
  return { content: [{ type: 'thinking', thinking, signature }, ...blocks], stopReason, stopDetails, mark }
}

/**
 * Builds the response to a request.
 * @param prefix hash of everything before this response
 */
export function buildAnswer(request: MessagesRequest, turn: ModelTurn, prefix: string): Answer {
  return signDraft(request, buildDraft(request, turn, prefix), prefix)
}

/** Estimates the output tokens of a response. */
export function estimateAnswerTokens(content: AnswerBlock[]): number {
  return content.reduce((sum, block) => sum + estimateTokens(textOf(block)), 1)
}

/** Returns the part of a block that counts towards its tokens. */
export function textOf(block: AnswerBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'thinking' ? block.thinking : block.json
}

/**
 * Removes empty text, all calls when tools are disabled, and all but one call when parallel calls
 * are disabled.
 */
function allowedBlocks(request: MessagesRequest, content: ModelBlock[]): ModelBlock[] {
  const maxCalls =
    request.tool_choice?.type === 'none'
      ? 0
      : request.tool_choice?.disable_parallel_tool_use
        ? 1
        : Number.POSITIVE_INFINITY
  let calls = 0
  return content.filter((block) => {
    if (block.type === 'text') return block.text.trim() !== ''
    if (block.type === 'thinking') return true
    calls += 1
    return calls <= maxCalls
  })
}

function toAnswerBlock(request: MessagesRequest, block: ModelBlock, id: string): AnswerBlock {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.thinking, signature: '' }
  const tool = request.tools?.find((one) => one.name === block.name)
  return { type: 'tool_use', id, name: block.name, json: JSON.stringify(fillStrictInput(tool, block.input)) }
}

/** Returns the block with the first `length` characters of its text or input. */
export function cutBlock(block: AnswerBlock, length: number): AnswerBlock {
  if (block.type === 'tool_use') return { ...block, json: block.json.slice(0, length) }
  if (block.type === 'text') return { ...block, text: block.text.slice(0, length).trim() || 'Cut' }
  return block
}

function cutAtMaxTokens(draft: Draft, maxTokens: number): Draft {
  if (estimateAnswerTokens(draft.blocks) <= maxTokens) return draft
  const kept: AnswerBlock[] = []
  let left = maxTokens * 4
  for (const block of draft.blocks) {
    if (left <= 0) break
    kept.push(cutBlock(block, left))
    left -= textOf(block).length
  }
  return { ...draft, blocks: kept, mark: 'broken', stopReason: 'max_tokens' }
}
