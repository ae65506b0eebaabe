import { buildCallModel } from '../agent/call-model.ts'
import type { WorkerConfig } from '../config.ts'

/**
 * One streamed round trip with a tool, as the agent makes them; a few tokens.
 * @returns what works, as a sentence
 * @throws ModelError that says what is wrong
 */
export async function checkModel(config: WorkerConfig, model: string): Promise<string> {
  const callModel = buildCallModel({ ...config.anthropic, maxRetries: 1 })
  const reply = await callModel(
    {
      model,
      max_tokens: 200,
      messages: [{ role: 'user', content: 'Call the tool `ready` once.' }],
      tools: [
        {
          name: 'ready',
          description: 'Say that you are ready.',
          input_schema: { type: 'object', properties: {}, additionalProperties: false },
        },
      ],
    },
    { signal: AbortSignal.timeout(60_000) },
  )
  const called = reply.content.some((block) => block.type === 'tool_use')
  return `${model} answers at ${new URL(config.anthropic.baseUrl).host}${called ? ' and calls tools' : '; it did not call the tool it was asked to'}`
}
