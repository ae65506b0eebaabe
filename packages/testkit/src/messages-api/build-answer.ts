import type { BrainBlock, BrainTurn } from './brain.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Fault } from './fault.ts'
import { fillStrictInput } from './fill-strict-input.ts'
import type { MessagesRequest } from './messages-request.ts'
import { type AnswerMark, hashText, signThinking } from './sign-thinking.ts'

/** A block as it goes out. `json` is what a call's input is streamed as: not always whole, not always JSON. */
export type AnswerBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; json: string }

export type Answer = {
  content: AnswerBlock[]
  stopReason: string
  stopDetails: { type: 'refusal'; category: string | null; explanation: string | null } | null
  mark: AnswerMark
}

type Draft = { blocks: AnswerBlock[]; stopReason: string; stopDetails: Answer['stopDetails']; mark: AnswerMark }

/**
 * The answer to a request: what the brain says, bent by the fault, cut at `max_tokens`, signed for its prefix.
 * @param prefix hash of everything before this answer
 */
export function buildAnswer(request: MessagesRequest, turn: BrainTurn, prefix: string, fault: Fault | null): Answer {
  const said = allowedBlocks(request, turn.content)
  const thinking = said.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
  const blocks = said
    .filter((block) => block.type !== 'thinking')
    .map((block, index) => toAnswerBlock(request, block, `toolu_${hashText(`${prefix}/${index}`).slice(0, 24)}`))
  const natural = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
  const draft: Draft = { blocks, stopReason: turn.stop ?? natural, stopDetails: null, mark: 'said' }
  const bent = cutAtMaxTokens(bend(draft, fault), request.max_tokens)
  if (fault?.kind === 'empty') return { content: [], stopReason: 'end_turn', stopDetails: null, mark: 'broken' }
  const signature = signThinking(prefix, thinking, bent.mark)
  const { stopReason, stopDetails, mark } = bent
  return { content: [{ type: 'thinking', thinking, signature }, ...bent.blocks], stopReason, stopDetails, mark }
}

/** Tokens of an answer, estimated. */
export function estimateAnswerTokens(content: AnswerBlock[]): number {
  return content.reduce((sum, block) => sum + estimateTokens(textOf(block)), 1)
}

function textOf(block: AnswerBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'thinking' ? block.thinking : block.json
}

/** No empty text, no calls when tools are off, one call when parallel calls are off. */
function allowedBlocks(request: MessagesRequest, content: BrainBlock[]): BrainBlock[] {
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

function toAnswerBlock(request: MessagesRequest, block: BrainBlock, id: string): AnswerBlock {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.thinking, signature: '' }
  const tool = request.tools?.find((one) => one.name === block.name)
  return { type: 'tool_use', id, name: block.name, json: JSON.stringify(fillStrictInput(tool, block.input)) }
}

function bend(draft: Draft, fault: Fault | null): Draft {
  switch (fault?.kind) {
    case 'garbage_json':
      return { ...draft, mark: 'broken', blocks: editLastCall(draft.blocks, (json) => `${json.slice(0, -1)},,]`) }
    case 'max_tokens':
      return { ...draft, mark: 'broken', stopReason: 'max_tokens', blocks: cutInHalf(draft.blocks) }
    case 'model_context_window_exceeded':
      return { ...draft, mark: 'broken', stopReason: fault.kind, blocks: cutInHalf(draft.blocks) }
    case 'pause_turn':
      return { ...draft, mark: 'paused', stopReason: 'pause_turn', blocks: [{ type: 'text', text: 'Still working.' }] }
    case 'unknown_stop':
      return { ...draft, mark: 'broken', stopReason: fault.reason ?? 'unheard_of' }
    case 'refusal': {
      const { category = null, explanation = 'This request was declined.' } = fault
      return {
        mark: 'broken',
        stopReason: 'refusal',
        stopDetails: { type: 'refusal', category, explanation },
        blocks: [{ type: 'text', text: 'I cannot help with that.' }],
      }
    }
    default:
      return draft
  }
}

function editLastCall(blocks: AnswerBlock[], edit: (json: string) => string): AnswerBlock[] {
  const last = blocks.findLastIndex((block) => block.type === 'tool_use')
  return blocks.map((block, index) =>
    index === last && block.type === 'tool_use' ? { ...block, json: edit(block.json) } : block,
  )
}

/** Up to the middle of the last call, or of the last text when there is no call. */
function cutInHalf(blocks: AnswerBlock[]): AnswerBlock[] {
  const call = blocks.findLastIndex((block) => block.type === 'tool_use')
  const last = call === -1 ? blocks.length - 1 : call
  const kept = blocks.slice(0, last + 1)
  return kept.map((block, index) => (index === last ? cutBlock(block, Math.ceil(textOf(block).length / 2)) : block))
}

function cutBlock(block: AnswerBlock, length: number): AnswerBlock {
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
