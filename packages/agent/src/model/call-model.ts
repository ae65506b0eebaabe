import type Anthropic from '@anthropic-ai/sdk'
import { addUsage } from './add-usage.ts'
import { buildProvider, type ModelConnection } from './build-provider.ts'
import { guardFetch } from './guard-fetch.ts'
import { meterStream, toTurnUsage } from './meter-stream.ts'
import type { CallModel, ModelReply, ModelRequest } from './model-call.ts'
import { ModelError } from './model-error.ts'
import { retryModelCall } from './retry-model-call.ts'
import type { TurnUsage } from './transcript.ts'
import { watchFetch } from './watch-fetch.ts'

export interface CallModelOptions extends ModelConnection {
  /** Maximum time without data on the connection. Default: 90 s. */
  readonly idleTimeoutMs?: number
  /** Maximum duration of a single attempt. Default: 10 min. */
  readonly turnTimeoutMs?: number
  /** Maximum number of retries after retryable errors. Default: 5. */
  readonly maxRetries?: number
  /** Initial backoff, which doubles on each retry up to 30 s. Default: 500 ms. */
  readonly firstWaitMs?: number
  readonly onRetry?: (error: ModelError, waitMs: number) => void
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Builds a `CallModel` for the Messages API on any host. Credentials, base URL and headers come
 * only from the options. By default, the SDK would also read environment variables and profiles on
 * disk.
 */
export function buildCallModel(options: CallModelOptions): CallModel {
  const provider = buildProvider(options)
  const { idleTimeoutMs = 90_000, turnTimeoutMs = 600_000, maxRetries = 5, firstWaitMs = 500 } = options
  const redact = (text: string) => redactAll(text, provider.secrets)

  async function attempt(
    request: ModelRequest,
    signal: AbortSignal,
    onSpent: (usage: TurnUsage | null) => void,
  ): Promise<ModelReply> {
    const guard = guardFetch(options.fetch ?? globalThis.fetch, provider)
    const watch = watchFetch({ idleMs: idleTimeoutMs, toHeaders: provider.toHeaders }, guard.fetch)
    const meter = meterStream()
    const turn = AbortSignal.timeout(Math.ceil(turnTimeoutMs))
    const either = AbortSignal.any([signal, turn])
    try {
      const client = await provider.openClient({ fetch: watch.fetch, timeoutMs: turnTimeoutMs })
      either.throwIfAborted()
      const stream = client.messages.stream(request, { signal: either })
      stream.on('streamEvent', meter.add)
      // The SDKs ignore the abort signal while they fetch platform credentials.
      const message = await orAborted(stream.finalMessage(), either)
      return toReply(message, stream.request_id ?? null)
    } catch (error) {
      onSpent(meter.read())
      signal.throwIfAborted()
      if (turn.aborted) {
        const message = `The model did not finish its turn within ${turnTimeoutMs / 1000} seconds.`
        throw new ModelError('model_stalled', message, { retryable: true })
      }
      const refused = watch.stalled() ?? guard.refused()
      if (refused) throw refused
      const { toModelError } = await import('./to-model-error.ts')
      throw toModelError(error, redact)
    }
  }

  return async (request, { signal, timeoutMs }) => {
    const deadline = timeoutMs === undefined ? null : AbortSignal.timeout(Math.ceil(timeoutMs))
    const either = deadline === null ? signal : AbortSignal.any([signal, deadline])
    let spent: TurnUsage | null = null
    const onSpent = (usage: TurnUsage | null) => {
      spent = addUsage(spent, usage)
    }
    const retry = { tries: maxRetries + 1, firstWaitMs, maxWaitMs: 30_000 }
    try {
      const reply = await retryModelCall(
        { ...retry, ...(options.onRetry ? { onRetry: options.onRetry } : {}) },
        () => attempt(request, either, onSpent),
        either,
      )
      return spent === null ? reply : { ...reply, failed: spent }
    } catch (error) {
      signal.throwIfAborted()
      const failure = deadline?.aborted
        ? new ModelError('model_deadline', "The job's time limit was reached during a model call.")
        : error
      if (failure instanceof ModelError) failure.spent = spent
      throw failure
    }
  }
}

function toReply(message: Anthropic.Message, requestId: string | null): ModelReply {
  return {
    // The SDK exposes tool inputs through getters, but a stored row must be plain JSON.
    content: JSON.parse(JSON.stringify(message.content)),
    stopReason: message.stop_reason,
    refusalCategory: message.stop_details?.category ?? null,
    usage: toTurnUsage(message.usage),
    requestId,
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function redactAll(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 6 ? rest : rest.replaceAll(secret, '[redacted]')), text)
}
