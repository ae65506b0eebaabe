import { ApiError } from './api-error.ts'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request with the session of this browser. The response is not validated, because the
 * service that responds also serves the pages.
 * @returns the JSON of the response; undefined for 204
 * @throws ApiError for every failure
 */
export async function request<Data>(path: string, options: RequestOptions = {}): Promise<Data> {
  const { method = 'GET', body, signal, headers } = options
  const response = await send(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw await toError(response)
  if (response.status === 204) return undefined as Data
  return (await response.json()) as Data
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError('unreachable', 'The service is unreachable. Check your connection and try again.', 0)
  }
}

async function toError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const text = body !== null && typeof body === 'object' && 'error' in body ? body.error : null
  const message = typeof text === 'string' ? text : `The service returned status ${response.status}. Try again.`
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(
    response.headers.get('x-error-code') ?? 'unknown',
    message,
    response.status,
    Number.isFinite(retryAfter) ? retryAfter : null,
    response.headers.get('x-request-id'),
  )
}
