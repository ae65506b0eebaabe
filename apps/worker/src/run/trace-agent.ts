import { findSpan, runInSpan, type Span } from '@corrigenda/core/tracing'
import type { AgentHost } from '../agent-work/do-agent-work.ts'

interface TracedAgent {
  readonly host: AgentHost
  /** Ends the open spans. */
  end(): void
}

/**
 * Adds spans for turns, model calls, and tool calls (OpenTelemetry semantic conventions for GenAI). A
 * turn lasts from its model call to the next one. The spans contain names and counts, but neither
 * messages nor inputs and results of tools. Without a current span, nothing is added.
 * @param provider value of `gen_ai.provider.name`
 */
export function traceAgent(host: AgentHost, provider: string): TracedAgent {
  const run = findSpan()
  if (run === null) return { host, end: () => {} }
  let turn: Span | null = null
  let turns = 0
  const tools = new Map<number, Span>()
  const end = () => {
    for (const span of tools.values()) span.end()
    tools.clear()
    turn?.end()
    turn = null
  }
  const callModel: AgentHost['callModel'] = async (request, control) => {
    end()
    turns += 1
    turn = run.startChild('turn', { attributes: { 'corrigenda.turn': turns } })
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': request.model,
      'gen_ai.request.max_tokens': request.max_tokens,
    }
    const span = turn.startChild(`chat ${request.model}`, { kind: 'client', attributes })
    return runInSpan(span, async () => {
      const reply = await host.callModel(request, control)
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = reply.usage
      span.set({
        // The convention counts cached tokens as input tokens.
        'gen_ai.usage.input_tokens': inputTokens + cacheReadTokens + cacheWriteTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
        'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
        ...(reply.stopReason === null ? {} : { 'gen_ai.response.finish_reasons': [reply.stopReason] }),
      })
      return reply
    })
  }
  const traced: AgentHost = {
    ...host,
    callModel,
    async toolStarted(call, tool) {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool }
      tools.set(call, (turn ?? run).startChild(`execute_tool ${tool}`, { attributes }))
    },
    async toolEnded(call, error) {
      const span = tools.get(call)
      tools.delete(call)
      if (error !== null) span?.fail(error)
      span?.end()
    },
  }
  return { host: traced, end }
}
