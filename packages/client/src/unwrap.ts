import { CorrigendaError } from './corrigenda-error.ts'
import { readRetryAfter } from './retry-fetch.ts'

interface Result<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

/**
 * Returns the body of a successful response.
 * @throws CorrigendaError for every other response
 * @throws the abort reason of the signal
 */
export async function unwrap<T>(origin: string, sending: Promise<Result<T>>): Promise<Exclude<T, void>> {
  let result: Result<T>
  try {
    result = await sending
  } catch (error) {
    if (error instanceof SyntaxError) throw notTheApi(origin, 200)
    throw toConnectionError(origin, error)
  }
  const { data, error, response } = result
  if (!response) throw toConnectionError(origin, error)
  if (!response.ok) throw toRefusal(origin, response, error)
  if (!(data instanceof Object)) throw notTheApi(origin, response.status)
  return data as Exclude<T, void>
}

export function toRefusal(origin: string, response: Response, body: unknown): CorrigendaError {
  const message = body instanceof Object && 'error' in body && typeof body.error === 'string' ? body.error : null
  if (message === null) return notTheApi(origin, response.status)
  return new CorrigendaError({
    message,
    status: response.status,
    code: response.headers.get('x-error-code') ?? 'unknown',
    retryAfterSeconds: readRetryAfter(response),
    requestId: response.headers.get('x-request-id'),
  })
}

/**
 * Converts a connection error to a CorrigendaError. Returns the abort reason of a signal unchanged,
 * because the caller chose it.
 */
export function toConnectionError(origin: string, error: unknown): unknown {
  const name = error instanceof Error ? error.name : ''
  if (error instanceof CorrigendaError || name === 'AbortError' || name === 'TimeoutError') return error
  // fetch reports every failed connection as a TypeError. Every other error comes from an aborted
  // signal.
  if (!(error instanceof TypeError)) return error
  const message = `No response from ${origin}, or the connection was lost.`
  return new CorrigendaError({ message, status: 0, code: 'connection_failed', cause: error })
}

export const notTheApi = (origin: string, status: number): CorrigendaError =>
  new CorrigendaError({
    message: `The server at ${origin} (status ${status}) is not the Corrigenda API.`,
    status,
    code: 'not_the_api',
  })
