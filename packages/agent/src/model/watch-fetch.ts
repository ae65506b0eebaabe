import { ModelError } from './model-error.ts'

export interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Returns the timeout error if the request was aborted, otherwise null. */
  stalled(): ModelError | null
}

export interface WatchOptions {
  /** Maximum time without data, before the first byte and between bytes, in milliseconds. */
  readonly idleMs: number
  /** Returns the headers to send, given the SDK's headers. */
  readonly toHeaders: (given: Headers) => Headers
}

/**
 * Wraps `fetch` with a timeout that expires when no byte arrives for `idleMs`. The SDK's own
 * timeout covers only the response headers, and the SDK does not expose the API's pings. Only this
 * layer can distinguish a silent connection from a model that is thinking.
 */
export function watchFetch(options: WatchOptions, fetch: typeof globalThis.fetch = globalThis.fetch): WatchedFetch {
  let stalled: ModelError | null = null

  const watched: typeof globalThis.fetch = async (url, init) => {
    const idle = new AbortController()
    const arm = () =>
      setTimeout(() => {
        stalled = new ModelError('model_stalled', `The model API sent no data for ${options.idleMs / 1000} seconds.`, {
          retryable: true,
        })
        idle.abort(stalled)
      }, options.idleMs)
    let timer = arm()
    const signal = init?.signal ? AbortSignal.any([init.signal, idle.signal]) : idle.signal
    try {
      const response = await fetch(url, { ...init, headers: options.toHeaders(new Headers(init?.headers)), signal })
      if (response.body === null) return response
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            clearTimeout(timer)
            timer = arm()
            controller.enqueue(chunk)
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

  return { fetch: watched, stalled: () => stalled }
}
