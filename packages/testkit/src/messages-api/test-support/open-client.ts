import Anthropic from '@anthropic-ai/sdk'
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../start-messages-api.ts'

export interface OpenApi {
  api: MessagesApi
  client: Anthropic
}

/** Opens a server and an SDK client that does not retry. */
export async function openApi(options: MessagesApiOptions): Promise<OpenApi> {
  const api = await startMessagesApi(options)
  const client = new Anthropic({ baseURL: api.url, apiKey: api.key, maxRetries: 0, logLevel: 'off' })
  return { api, client }
}

export const model = 'claude-sonnet-5-5'

export const tools: Anthropic.Tool[] = [
  {
    name: 'view',
    description: 'Read a file.',
    strict: true,
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' }, view_range: { type: ['array', 'null'], items: { type: 'integer' } } },
      required: ['path', 'view_range'],
      additionalProperties: false,
    },
  },
  { name: 'finish', input_schema: { type: 'object', properties: { outcome: { type: 'string' } } } },
]

/** Returns the first request in a conversation. */
export function firstRequest(text = 'Please look at the page.'): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: 16_000,
    system: [{ type: 'text', text: 'You maintain documentation.' }],
    tools,
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  }
}

/**
 * Returns the request that follows `message`. `result` returns the result for a call in `message`.
 */
export function nextRequest(
  request: Anthropic.MessageCreateParamsNonStreaming,
  message: Anthropic.Message,
  result: (call: Anthropic.ToolUseBlock) => Partial<Anthropic.ToolResultBlockParam> = () => ({ content: 'ok' }),
): Anthropic.MessageCreateParamsNonStreaming {
  const calls = message.content.filter((block) => block.type === 'tool_use')
  const results = calls.map((call) => ({ type: 'tool_result' as const, tool_use_id: call.id, ...result(call) }))
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: message.content as Anthropic.ContentBlockParam[] },
      { role: 'user', content: results.length > 0 ? results : [{ type: 'text', text: 'Go on.' }] },
    ],
  }
}
