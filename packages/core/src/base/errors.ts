import type { ErrorCode } from '@corrigenda/contracts'

/**
 * An error that the caller can act on. The message is a sentence for users, without secrets, stack
 * traces or paths.
 */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Seconds to wait before retrying. */
    readonly retryAfterSeconds: number | null = null,
    /** `cause`: the reason for the log. */
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'AppError'
  }
}

/**
 * Returns the error for an object that does not exist or that the caller may not see. Callers cannot
 * tell the two apart.
 */
export const notFound = (): AppError => new AppError('not_found', 'Not found.')

/**
 * Thrown when a lease is lost because another worker claimed the row or the row's work has ended.
 * The caller must stop immediately and write nothing.
 */
export class LostLeaseError extends Error {
  constructor(runId: string) {
    super(`lost the lease on ${runId}`)
    this.name = 'LostLeaseError'
  }
}
