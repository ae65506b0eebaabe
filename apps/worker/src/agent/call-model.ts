import Anthropic from '@anthropic-ai/sdk'
import { guardFetch } from './guard-fetch.ts'
import type { CallModel, ModelReply, ModelRequest } from './model-call.ts'
import { ModelError } from './model-error.ts'
import { retryModelCall } from './retry-model-call.ts'
import { toModelError } from './to-model-error.ts'
import { watchFetch } from './watch-fetch.ts'

export interface CallModelOptions {
  readonly apiKey: string
  /** Origin (and path prefix) of the Messages API. */
  readonly baseUrl?: string
  /** Sent with every request, over the SDK's own: for gateways that want another credential header or API version. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest silence on the wire. Default 90 s. */
  readonly idleTimeoutMs?: number
  /** Longest single attempt. Default 10 min. */
  readonly turnTimeoutMs?: number
  /** Repetitions of a call that failed and may succeed. Default 5. */
  readonly maxRetries?: number
  /** First wait between tries; doubles up to 30 s. Default 500 ms. */
  readonly firstWaitMs?: number
  readonly onRetry?: (error: ModelError, waitMs: number) => void
}

/**
 * A CallModel on the Messages API. Credentials, base address and headers come from the options alone: the SDK would also read
 * environment variables and profiles on disk.
 */
export function buildCallModel(options: CallModelOptions): CallModel {
  const { apiKey, baseUrl = 'https://api.anthropic.com', headers = {} } = options
  const { idleTimeoutMs = 90_000, turnTimeoutMs = 600_000, maxRetries = 5, firstWaitMs = 500 } = options
  const authorization = { authorization: `Bearer ${apiKey}`, ...lowerCase(headers) }
  const redact = (text: string) => redactAll(text, [apiKey, ...Object.values(headers)])

  async function attempt(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const guard = guardFetch(globalThis.fetch)
    const watch = watchFetch({ idleMs: idleTimeoutMs, headers: authorization }, guard.fetch)
    const client = new Anthropic({
      apiKey,
      baseURL: baseUrl,
      maxRetries: 0,
      timeout: turnTimeoutMs,
      openTelemetry: false,
      logLevel: 'off',
      webhookKey: null,
      fetch: watch.fetch,
    })
    const turn = AbortSignal.timeout(Math.ceil(turnTimeoutMs))
    const stream = client.messages.stream(request, { signal: AbortSignal.any([signal, turn]) })
    try {
      const message = await stream.finalMessage()
      return toReply(message, stream.request_id ?? null)
    } catch (error) {
      signal.throwIfAborted()
      if (turn.aborted) {
        const message = `The model did not finish its turn within ${turnTimeoutMs / 1000} seconds.`
        throw new ModelError('model_stalled', message, { retryable: true })
      }
      throw watch.stalled() ?? guard.refused() ?? toModelError(error, redact)
    }
  }

  return async (request, { signal, timeoutMs }) => {
    const deadline = timeoutMs === undefined ? null : AbortSignal.timeout(Math.ceil(timeoutMs))
    const either = deadline === null ? signal : AbortSignal.any([signal, deadline])
    const retry = { tries: maxRetries + 1, firstWaitMs, maxWaitMs: 30_000 }
    try {
      return await retryModelCall(
        { ...retry, ...(options.onRetry ? { onRetry: options.onRetry } : {}) },
        () => attempt(request, either),
        either,
      )
    } catch (error) {
      signal.throwIfAborted()
      if (deadline?.aborted)
        throw new ModelError('model_deadline', 'The time for this job ended while the model was working.')
      throw error
    }
  }
}

function toReply(message: Anthropic.Message, requestId: string | null): ModelReply {
  const { usage } = message
  return {
    // The SDK keeps tool inputs behind getters; a stored row must be plain JSON.
    content: JSON.parse(JSON.stringify(message.content)),
    stopReason: message.stop_reason,
    refusalCategory: message.stop_details?.category ?? null,
    usage: {
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
    },
    requestId,
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function redactAll(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 6 ? rest : rest.replaceAll(secret, '[redacted]')), text)
}
