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
