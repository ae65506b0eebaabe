/** An error response of the service, or a failed connection. */
export class ApiError extends Error {
  constructor(
    /** Stable code from `x-error-code`; `unreachable` without a response. */
    readonly code: string,
    message: string,
    /** 0 without a response. */
    readonly status: number,
    /** Delay in seconds before a retry is useful. */
    readonly retryAfterSeconds: number | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}
