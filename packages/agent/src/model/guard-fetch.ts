import { ModelError } from './model-error.ts'

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Returns the error if the last response was not from the Messages API, otherwise null. */
  refused(): ModelError | null
}

export interface ExpectedAnswer {
  /** Media type of a streamed response. */
  readonly streamType: string
  /** Name of the URL setting. */
  readonly addressSetting: string
}

/**
 * Wraps `fetch` so that it accepts only responses from the Messages API. It does not follow
 * redirects, because a redirect would send the conversation to a URL that was not configured. It
 * rejects a successful response that is not an event stream, because the SDK would treat it as a
 * dropped connection.
 */
export function guardFetch(fetch: typeof globalThis.fetch, expected: ExpectedAnswer): GuardedFetch {
  let refused: ModelError | null = null

  const guarded: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    refused = findFault(response, expected)
    if (refused === null) return response
    await response.body?.cancel()
    throw refused
  }

  return { fetch: guarded, refused: () => refused }
}

function findFault({ status, headers }: Response, { streamType, addressSetting }: ExpectedAnswer): ModelError | null {
  if (status >= 300 && status < 400) {
    const message = `The model API responded with a redirect (${status}), and redirects are not followed. Set ${addressSetting} to the final URL.`
    return new ModelError('model_bad_reply', message)
  }
  const type = (headers.get('content-type') ?? 'nothing').split(';')[0]?.trim().slice(0, 60)
  if (status !== 200 || type === streamType) return null
  // Likely causes are a proxy in maintenance mode and a URL that is not a Messages API.
  const message = `The model API responded with ${type} instead of an event stream. Check ${addressSetting} and any proxy in front of it.`
  return new ModelError('model_unavailable', message, { retryable: true })
}
