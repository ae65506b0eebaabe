import { ModelError } from './model-error.ts'

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch
  /** Why an answer was not taken for one of the Messages API; null while there was none such. */
  refused(): ModelError | null
}

export interface ExpectedAnswer {
  /** Media type of a streamed answer. */
  readonly streamType: string
  /** The setting that holds the address. */
  readonly addressSetting: string
}

/**
 * A `fetch` that takes nothing but answers of the API: it follows no redirect, which would hand the conversation to an address nobody configured, and
 * passes on no successful answer that is not a stream of events, which the SDK would take for a cut connection.
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
    const message = `The model API redirects (${status}), which is not followed: set ${addressSetting} to the final address.`
    return new ModelError('model_bad_reply', message)
  }
  const type = (headers.get('content-type') ?? 'nothing').split(';')[0]?.trim().slice(0, 60)
  if (status !== 200 || type === streamType) return null
  // A proxy in maintenance, or an address that is none of an API.
  const message = `The model API answered with ${type} instead of a stream of events: check ${addressSetting} and what stands before it.`
  return new ModelError('model_unavailable', message, { retryable: true })
}
