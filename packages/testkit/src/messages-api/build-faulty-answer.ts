import {
  type Answer,
  type AnswerBlock,
  buildDraft,
  cutBlock,
  type Draft,
  type MessagesRequest,
  signDraft,
  textOf,
} from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'
import type { ModelTurn } from './model-script.ts'

/**
 * Builds a response that is altered by the fault, truncated at `max_tokens` and signed for its
 * prefix.
 * @param prefix hash of everything before this response
 */
export function buildFaultyAnswer(
  request: MessagesRequest,
  turn: ModelTurn,
  prefix: string,
  fault: Fault | null,
): Answer {
  if (fault?.kind === 'empty') return { content: [], stopReason: 'end_turn', stopDetails: null, mark: 'broken' }
  return signDraft(request, applyFault(buildDraft(request, turn, prefix), fault), prefix)
}

function applyFault(draft: Draft, fault: Fault | null): Draft {
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
        ...draft,
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

/** Truncates the blocks in the middle of the last call, or of the last block if no call exists. */
function cutInHalf(blocks: AnswerBlock[]): AnswerBlock[] {
  const call = blocks.findLastIndex((block) => block.type === 'tool_use')
  const last = call === -1 ? blocks.length - 1 : call
  const kept = blocks.slice(0, last + 1)
  return kept.map((block, index) => (index === last ? cutBlock(block, Math.ceil(textOf(block).length / 2)) : block))
}
