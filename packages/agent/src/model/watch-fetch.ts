import { badReply } from './bad-reply.ts'
import { ModelError } from './model-error.ts'

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
