import { buildProvider, type ModelConnection } from './build-provider.ts'
import { collectReply } from './collect-reply.ts'
import { guardFetch, watchFetch } from './guard-fetch.ts'
import type { CallModel, ModelReply, ModelRequest } from './model-call.ts'
import { ModelError } from './model-error.ts'
import { toAnswerError } from './to-answer-error.ts'
import { toReply } from './to-reply.ts'
import { addUsage, type TurnUsage } from './transcript.ts'

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

/**
 * Maximum total time spent on waits that the API requests. For longer waits, the caller releases
 * its slot.
 */
const MAX_WAIT_MS = 60_000
/** Maximum number of replies that cannot be used. Each of them is paid for. */
const MAX_BAD_REPLIES = 3

interface RetryOptions {
  /** Total number of attempts, including the first. */
  readonly tries: number
  /**
   * Initial backoff in milliseconds. Doubles on each retry up to `maxWaitMs`. Random jitter
   * shortens each backoff by up to half.
   */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  readonly onRetry?: (error: ModelError, waitMs: number) => void
}

/**
 * Retries a call until it succeeds, fails with an error that is not retryable, or runs out of
 * attempts. Repeats the call only twice after replies that cannot be used. Honors a wait requested by the API. If the requested waits add up to more than one
 * minute, throws the error with `retryAfterMs` instead of sleeping. Throws the signal's reason when
 * aborted.
 */
async function retryModelCall<T>(options: RetryOptions, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let askedMs = 0
  let badReplies = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt >= options.tries) throw error
      if (error.code === 'model_bad_reply') badReplies += 1
      if (badReplies >= MAX_BAD_REPLIES) throw error
      askedMs += error.retryAfterMs ?? 0
      if (askedMs > MAX_WAIT_MS) throw error
      const backoff = Math.min(options.maxWaitMs, options.firstWaitMs * 2 ** (attempt - 1))
      const waitMs = Math.max(error.retryAfterMs ?? 0, backoff * (1 - Math.random() / 2))
      options.onRetry?.(error, waitMs)
      await wait(waitMs, signal)
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
