const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/**
 * Returns the documented error type for a status, or `api_error` if the documentation does not
 * list the status.
 */
export function errorTypeOf(status: number): string {
  return types[status] ?? 'api_error'
}

interface ApiErrorOptions {
  type?: string
  details?: Record<string, unknown>
  headers?: Record<string, string>
}

/** An error response in the shape of the Messages API. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string>

  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.type = options.type ?? errorTypeOf(status)
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/** Returns the JSON body of an error response. `request_id` repeats the `request-id` header. */
export function toErrorBody(error: ApiError, requestId: string): Record<string, unknown> {
  const { type, message, details } = error
  return { type: 'error', error: { type, message, ...(details ? { details } : {}) }, request_id: requestId }
}

/** Rejects the request with 400 `invalid_request_error`. */
export function refuse(message: string): never {
  throw new ApiError(400, message)
}
