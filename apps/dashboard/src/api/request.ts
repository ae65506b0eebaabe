import { toDuration } from '../format/format.ts'
import { checkConnection, reportConnected, reportUnreachable } from './connection.ts'

/** An error response from the service, or a failed connection. */
export class ApiError extends Error {
  constructor(
    /** Stable code from `x-error-code`, or `unreachable` if no response arrived. */
    readonly code: string,
    message: string,
    /** 0 if no response arrived. */
    readonly status: number,
    /** Minimum delay in seconds before a retry. */
    readonly retryAfterSeconds: number | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Time in ms after which a request without a response is a reason to check the connection. */
const SLOW_MS = 3_000

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
}

/**
 * Sends a request with this browser's session. The response is not validated, because the pages and
 * the API come from the same service.
 * @returns the parsed response body; undefined for 204
 * @throws ApiError if the request fails or the service returns an error
 */
export async function request<Data>(path: string, options: RequestOptions = {}): Promise<Data> {
  const { method = 'GET', body, signal, headers, idempotencyKey } = options
  const response = await send(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
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
  const slow = setTimeout(checkConnection, SLOW_MS)
  try {
    const response = await fetch(path, init)
    // A proxy responds with these while the service is down.
    if (response.status >= 502 && response.status <= 504) checkConnection()
    else reportConnected()
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportUnreachable()
    throw new ApiError('unreachable', 'The service is unreachable. Check your connection and try again.', 0)
  } finally {
    clearTimeout(slow)
  }
}

async function toError(response: Response): Promise<ApiError> {
  // A proxy may respond with HTML, in which case only the status is available.
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

/** Returns a project's path in the dashboard-only API. */
export function toProjectPath(projectId: string, ...parts: readonly string[]): string {
  return ['/dashboard/api/projects', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}

/** Returns a path in the public job API, which integrators also use. */
export function toAgentPath(projectId: string, ...parts: readonly string[]): string {
  return ['/v2/agent', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}

/** Returns the message to show for any thrown value. */
export function toSentence(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.'
  const { message, retryAfterSeconds, status, requestId } = error
  if (status === 429 && retryAfterSeconds !== null)
    return `${message} Try again in ${toDuration(retryAfterSeconds * 1000)}.`
  return status >= 500 && requestId ? `${message} (Request ${requestId})` : message
}
