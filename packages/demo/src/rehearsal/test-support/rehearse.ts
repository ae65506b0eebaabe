import { buildAnswer } from '../../messages-api/build-answer.ts'
import type { MessagesRequest, RequestBlock, RequestTool, ToolUseBlock } from '../../messages-api/messages-request.ts'
import type { ModelScript } from '../../messages-api/model-script.ts'
import { hashPrefixes } from '../../messages-api/sign-thinking.ts'
import { toWholeBlock } from '../../messages-api/to-message.ts'
import type { Evidence } from '../plan/plan.ts'
import { buildRehearsalModel } from '../rehearsal-model.ts'
import { type HarnessOptions, openToolHarness, type ToolHarness } from './open-tool-harness.ts'

export interface Rehearsal {
  harness: ToolHarness
  /** The request of each turn. */
  requests: MessagesRequest[]
  /** The text of each turn. */
  said: string[]
  /** The input of the last `finish` call. */
  finished: Record<string, string> & { evidence?: Evidence[] }
  accepted: boolean
  turns: number
}

const names = [
  'list_files',
  'search',
  'view',
  'source_changes',
  'create',
  'edit',
  'insert',
  'move',
  'delete',
  'rename_heading',
  'check_docs',
  'finish',
]
const tools: RequestTool[] = names.map((name) => ({ name, input_schema: { type: 'object' } }))

/** Runs the rehearsal model on a prompt until `finish` is accepted, or for 45 turns. */
export function rehearse(prompt: string, files: Record<string, string>, options: HarnessOptions = {}): Rehearsal {
  const sources = Object.keys(options.sources ?? {}).map((name) => `- ${name}: its code`)
  const list = sources.length === 0 ? [] : [['Sources of this job.', '- docs: this repository', ...sources].join('\n')]
  return converse(startRequest(...list, prompt), openToolHarness(files, options))
}

export function startRequest(...texts: string[]): MessagesRequest {
  const content = texts.map((text) => ({ type: 'text' as const, text }))
  return { model: 'rehearsal', max_tokens: 16_000, tools, messages: [{ role: 'user', content }] }
}

export function converse(
  start: MessagesRequest,
  harness: ToolHarness,
  modelScript: ModelScript = buildRehearsalModel(),
): Rehearsal {
  const rehearsal: Rehearsal = { harness, requests: [], said: [], finished: {}, accepted: false, turns: 0 }
  let request = start
  while (!rehearsal.accepted && rehearsal.turns < 45) {
    rehearsal.requests.push(request)
    rehearsal.turns += 1
    const content = answer(modelScript, request)
    for (const block of content) if (block.type === 'text') rehearsal.said.push(block.text)
    const results = content.filter((block) => block.type === 'tool_use').map((call) => run(rehearsal, call))
    if (results.length === 0) break
    request = {
      ...request,
      messages: [...request.messages, { role: 'assistant', content }, { role: 'user', content: results }],
    }
  }
  return rehearsal
}

/** Returns the complete blocks of the model script's response. */
export function answer(modelScript: ModelScript, request: MessagesRequest): RequestBlock[] {
  const built = buildAnswer(request, modelScript(request), hashPrefixes(request).at(-1) ?? '')
  return built.content.map((block) => toWholeBlock(block) as unknown as RequestBlock)
}

function run(rehearsal: Rehearsal, call: ToolUseBlock): RequestBlock {
  const { text, isError } = rehearsal.harness.run(call.name, call.input as never)
  if (call.name === 'finish') {
    rehearsal.finished = call.input as Record<string, string>
    rehearsal.accepted = text === 'Finished.'
  }
  return { type: 'tool_result', tool_use_id: call.id, content: text, ...(isError ? { is_error: true } : {}) }
}
