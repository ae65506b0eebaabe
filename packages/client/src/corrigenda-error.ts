/**
 * Thrown when a request is rejected or receives no valid response. `message` is a human-readable
 * sentence.
 */
export class CorrigendaError extends Error {
  /** HTTP status; 0 if no response was received. */
  readonly status: number
  /**
   * The API's `x-error-code`, as listed in the API reference, or one of this client's codes:
   * `connection_failed`, `not_the_api` (another service responds at this URL), `wait_timeout`.
   */
  readonly code: string
  /** Seconds to wait before a retry; null if the response has no Retry-After header. */
  readonly retryAfterSeconds: number | null
  /** Request id for problem reports; null if no response was received. */
  readonly requestId: string | null

  constructor(input: {
    message: string
    status: number
    code: string
    retryAfterSeconds?: number | null
    requestId?: string | null
    cause?: unknown
  }) {
    super(input.message, input.cause === undefined ? undefined : { cause: input.cause })
    this.name = 'CorrigendaError'
    this.status = input.status
    this.code = input.code
    this.retryAfterSeconds = input.retryAfterSeconds ?? null
    this.requestId = input.requestId ?? null
  }
}
