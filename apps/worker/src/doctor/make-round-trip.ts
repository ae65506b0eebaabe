import type Anthropic from '@anthropic-ai/sdk'
import type { AgentOptions, AssistantRow, UserRow } from '@corrigenda/agent/loop'
import { buildRequest } from '@corrigenda/agent/loop'
import type { CallModel, ConversationHeader, ModelReply } from '@corrigenda/agent/model'

/** About 4,500 tokens, long enough for every provider's prompt cache. */
const MANUAL = Array.from(
  { length: 300 },
  (_, line) => `Rule ${line + 1}: a page describes the current version, in the same words that its readers use.`,
).join('\n')

const INPUT_SCHEMA = {
  type: 'object' as const,
  properties: { part: { type: 'string', description: 'The requested part. Always `docs`.' } },
  required: ['part'],
  additionalProperties: false,
}

/** A round trip with a tool call: request, replies and duration. */
export interface RoundTrip {
  readonly header: ConversationHeader
  readonly rows: readonly (AssistantRow | UserRow)[]
  readonly replies: readonly ModelReply[]
  /** True when the model called the tool. */
  readonly called: boolean
  /** True when the model repeated the code that only the tool result contains. */
  readonly understood: boolean
  readonly milliseconds: number
}

/**
 * Makes one streamed round trip as the agent does: tool call, tool result, final reply.
 * @param code the code that the tool returns
 * @throws ModelError
 */
export async function makeRoundTrip(
  callModel: CallModel,
  { model, options, code, signal }: { model: string; options: AgentOptions; code: string; signal: AbortSignal },
): Promise<RoundTrip> {
  const tool: Anthropic.Tool = {
    name: 'read_code',
    description: 'Read the code of a part. Only this tool can return it.',
    input_schema: INPUT_SCHEMA,
    ...(options.strict ? { strict: true } : {}),
  }
  const header: ConversationHeader = {
    system: [{ type: 'text', text: `You check a connection.\n${MANUAL}` }],
    tools: [tool],
    model,
    harnessVersion: 'doctor',
  }
  const ask = 'Call the tool `read_code` for the part `docs`, then reply with only the code that it returned.'
  const started = performance.now()
  const send = async (rows: readonly (AssistantRow | UserRow)[]) => {
    const reply = await callModel(buildRequest(header, rows, options), { signal })
    return { reply, row: { role: 'assistant' as const, ...reply } }
  }
  const asked: UserRow = { role: 'user', content: [{ type: 'text', text: ask }] }
  const first = await send([asked])
  const calls = first.reply.content.filter((block) => block.type === 'tool_use')
  if (calls.length === 0) {
    const rows = [asked, first.row]
    const milliseconds = performance.now() - started
    return { header, rows, replies: [first.reply], called: false, understood: false, milliseconds }
  }
  const content = calls.map(({ id }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: `The code: ${code}`,
  }))
  const answered: UserRow = { role: 'user', content }
  const second = await send([asked, first.row, answered])
  const text = second.reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return {
    header,
    rows: [asked, first.row, answered, second.row],
    replies: [first.reply, second.reply],
    called: true,
    understood: text.includes(code),
    milliseconds: performance.now() - started,
  }
}
