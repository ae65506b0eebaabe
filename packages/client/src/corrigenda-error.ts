/**
 * Thrown when a request was rejected or received no valid response. `message` is a readable
 * sentence.
 */
export class CorrigendaError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /**
   * The API's `x-error-code`, as listed in the API reference, or a code of this client:
   * `connection_failed`, `not_the_api` (another service responds at this URL), `wait_timeout`.
   */
  readonly code: string
  /** Delay in seconds before a retry; null when the response contains none. */
  readonly retryAfterSeconds: number | null
  /** Request id for problem reports; null without a response. */
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
