import { addUsage } from './add-usage.ts'
import { buildProvider, type ModelConnection } from './build-provider.ts'
import { collectReply } from './collect-reply.ts'
import { guardFetch } from './guard-fetch.ts'
import type { CallModel, ModelReply, ModelRequest } from './model-call.ts'
import { ModelError } from './model-error.ts'
import { retryModelCall } from './retry-model-call.ts'
import { toAnswerError } from './to-answer-error.ts'
import { toReply } from './to-reply.ts'
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
  const { addressSetting, signsThinking } = provider
  const words = { addressSetting, redact: (text: string) => redactAll(text, provider.secrets) }

  async function attempt(
    request: ModelRequest,
    signal: AbortSignal,
    onSpent: (usage: TurnUsage | null) => void,
  ): Promise<ModelReply> {
    const guard = guardFetch(options.fetch ?? globalThis.fetch, { ...provider, ...words })
    const watch = watchFetch({ idleMs: idleTimeoutMs, toHeaders: provider.toHeaders }, guard.fetch)
    let headers: Headers | undefined
    const collector = collectReply((body) => toAnswerError({ body, headers }, words))
    const turn = AbortSignal.timeout(Math.ceil(turnTimeoutMs))
    const done = new AbortController()
    const either = AbortSignal.any([signal, turn, done.signal])
    try {
      const client = await provider.openClient({ fetch: watch.fetch, timeoutMs: turnTimeoutMs })
      either.throwIfAborted()
      const { Stream } = await import('@anthropic-ai/sdk/streaming')
      const receive = async () => {
        const response = await client.messages.create({ ...request, stream: true }, { signal: either }).asResponse()
        headers = response.headers
        for await (const event of Stream.rawEvents(response)) collector.add(event)
        return response.headers.get('request-id')
      }
      // The SDKs ignore the abort signal while they fetch platform credentials.
      const requestId = await orAborted(receive(), either)
      const { blocks, stopReason, refusalCategory, usage } = collector.end()
      const reply = toReply({ blocks, stopReason }, { request, signsThinking })
      return { ...reply, refusalCategory, usage, requestId }
    } catch (error) {
      onSpent(collector.usage())
      signal.throwIfAborted()
      if (turn.aborted) {
        const message = `The model did not finish its turn within ${turnTimeoutMs / 1000} seconds.`
        throw new ModelError('model_stalled', message, { retryable: true })
      }
      const refused = watch.failed() ?? guard.refused()
      if (refused) throw refused
      const { toModelError } = await import('./to-model-error.ts')
      throw toModelError(error, words)
    } finally {
      // Ends the connection of a reply that was not read to its end.
      done.abort()
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
