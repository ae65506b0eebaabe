import { badReply, ModelError } from './model-error.ts'
import { type ErrorWords, readBody, toAnswerError } from './to-answer-error.ts'

interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Returns the error if the last response was not from the Messages API, otherwise null. */
  refused(): ModelError | null
}

interface ExpectedAnswer extends ErrorWords {
  /** Media type of a streamed response. */
  readonly streamType: string
}

/** Maximum size of a JSON body that is read for its message, in bytes. */
const MAX_BODY = 64 * 1024

/**
 * Wraps `fetch` so that it accepts only responses from the Messages API. It does not follow
 * redirects, because a redirect would send the conversation to a URL that was not configured. It
 * rejects a successful response that is not an event stream. If its body is JSON, it may report an
 * error.
 */
export function guardFetch(fetch: typeof globalThis.fetch, expected: ExpectedAnswer): GuardedFetch {
  let refused: ModelError | null = null

  const guarded: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    refused = await findFault(response, expected)
    if (refused === null) return response
    if (!response.bodyUsed) await response.body?.cancel()
    throw refused
  }

  return { fetch: guarded, refused: () => refused }
}

async function findFault(response: Response, expected: ExpectedAnswer): Promise<ModelError | null> {
  const { status, headers } = response
  const { streamType, addressSetting } = expected
  if (status >= 300 && status < 400) {
    const message = `The model API responded with a redirect (${status}), and redirects are not followed. Set ${addressSetting} to the final URL.`
    return new ModelError('model_bad_reply', message)
  }
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase().slice(0, 60)
  if (status !== 200 || type === streamType) return null
  if (type === 'application/json') {
    const body = await readJson(response)
    if (readBody(body).text !== '') return toAnswerError({ body, headers }, expected)
  }
  // Likely causes are a proxy in maintenance mode and a URL that is not a Messages API.
  const what = type ? `with ${type}` : 'without a content type'
  const message = `The model API responded ${what} instead of an event stream. Check ${addressSetting} and any proxy in front of it.`
  return new ModelError('model_unavailable', message, { retryable: true })
}

/** Returns null for a body that is too long or is not JSON. */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return null
  }
}

interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Returns the error if this function ended the request, otherwise null. */
  failed(): ModelError | null
}

interface WatchOptions {
  /** Maximum time without data, before the first byte and between bytes, in milliseconds. */
  readonly idleMs: number
  /** Maximum size of a response in bytes. Default: 64 MiB, far more than the longest reply. */
  readonly maxBytes?: number
  /** Returns the headers to send, given the SDK's headers. */
  readonly toHeaders: (given: Headers) => Headers
}

/**
 * Wraps `fetch` with a limit on the size of a response, which the SDK collects in memory, and with
 * a timeout that expires when no byte arrives for `idleMs`. The SDK's own
 * timeout covers only the response headers, and the SDK does not expose the API's pings. Only this
 * layer can distinguish a silent connection from a model that is thinking.
 */
export function watchFetch(options: WatchOptions, fetch: typeof globalThis.fetch = globalThis.fetch): WatchedFetch {
  const { idleMs, maxBytes = 64 * 1024 * 1024 } = options
  let failed: ModelError | null = null

  const watched: typeof globalThis.fetch = async (url, init) => {
    const ended = new AbortController()
    const stop = (error: ModelError) => {
      failed = error
      ended.abort(error)
    }
    const arm = () =>
      setTimeout(() => {
        const message = `The model API sent no data for ${idleMs / 1000} seconds.`
        stop(new ModelError('model_stalled', message, { retryable: true }))
      }, idleMs)
    let bytes = 0
    let timer = arm()
    const signal = init?.signal ? AbortSignal.any([init.signal, ended.signal]) : ended.signal
    try {
      const response = await fetch(url, { ...init, headers: options.toHeaders(new Headers(init?.headers)), signal })
      if (response.body === null) return response
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            clearTimeout(timer)
            timer = arm()
            bytes += chunk.byteLength
            if (bytes > maxBytes) stop(badReply(`it is larger than ${maxBytes} bytes`))
            else controller.enqueue(chunk)
          },
          flush: () => clearTimeout(timer),
        }),
      )
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
      const { status, statusText, headers } = response
      return new Response(body, { status, statusText, headers })
    } catch (error) {
      clearTimeout(timer)
      throw error
    }
  }

  return { fetch: watched, failed: () => failed }
}
