/** What the service refused, or that it could not be reached. */
export class ApiError extends Error {
  constructor(
    /** Stable, as in `x-error-code`; `unreachable` when there was no answer. */
    readonly code: string,
    message: string,
    /** 0 when there was no answer. */
    readonly status: number,
    /** Seconds after which trying again makes sense. */
    readonly retryAfterSeconds: number | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}
