/** A request that was refused, or got no usable answer. `message` is a sentence for people. */
export class CorrigendaError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /**
   * The API's `x-error-code`, as the API reference lists them; or one of this client: `connection_failed`, `not_the_api` (something else answers at
   * this address), `wait_timeout`.
   */
  readonly code: string
  /** Seconds after which trying again makes sense; null when nothing was said. */
  readonly retryAfterSeconds: number | null
  /** Name it when you report a problem; null when there was no answer. */
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
