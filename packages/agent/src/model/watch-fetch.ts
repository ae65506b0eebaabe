import { ModelError } from './model-error.ts'

export interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Why the watch ended the request; null while it has not. */
  stalled(): ModelError | null
}

export interface WatchOptions {
  /** Longest silence on the wire, in milliseconds, before and between bytes. */
  readonly idleMs: number
  /** What goes out, given the headers of the SDK. */
  readonly toHeaders: (given: Headers) => Headers
}

/**
 * A `fetch` that gives up when no byte arrives for `idleMs`. The SDK's own timeout covers response headers only, and it does not
 * pass on the API's pings, so silence can be told from thinking only here.
 */
export function watchFetch(options: WatchOptions, fetch: typeof globalThis.fetch = globalThis.fetch): WatchedFetch {
  let stalled: ModelError | null = null

  const watched: typeof globalThis.fetch = async (url, init) => {
    const idle = new AbortController()
    const arm = () =>
      setTimeout(() => {
        stalled = new ModelError('model_stalled', `The model API sent nothing for ${options.idleMs / 1000} seconds.`, {
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
