import type { ErrorCode } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { InterruptedError, RolledBackError } from '@corrigenda/core/db'
import type { FastifyRequest } from 'fastify'
import { TooManyRequestsError } from './limit-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The handler has been called, so that the request may have changed something. */
    isHandled: boolean
  }
}

/** An error response. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly retryAfterSeconds?: number | null
}

/** What is known about a request or a call that failed. */
export interface FailedWork {
  /** False if it only reads, or failed before its work began. */
  readonly mayChange: boolean
  /** What the caller should do if the work may have been done. */
  readonly advice: string
}

export const toFailedWork = ({ method, headers, isHandled }: FastifyRequest): FailedWork => ({
  mayChange: isHandled && method !== 'GET' && method !== 'HEAD',
  advice: headers['idempotency-key']
    ? 'Send the request again with the same Idempotency-Key.'
    : 'Check its result before you send the request again. Requests with an Idempotency-Key can be repeated safely.',
})

/**
 * Returns the refusal for work that failed. If the work may have been done nevertheless, the refusal
 * says so, because a caller that repeats the request would do it twice. Otherwise, nothing was done.
 * @param refusal what the error means if nothing was done
 */
export function toTrueRefusal(refusal: Refusal, error: unknown, work: FailedWork): Refusal {
  const isCertain = [AppError, TooManyRequestsError, RolledBackError].some((type) => error instanceof type)
  if (isCertain || refusal.status < 500 || !work.mayChange) return refusal
  const outcome = `the request may have been processed. ${work.advice}`
  if (refusal.code === 'internal_error') {
    const message = `An internal error occurred, and ${outcome} Report the x-request-id if the error persists.`
    return { ...refusal, message }
  }
  const problem =
    error instanceof InterruptedError && error.reason === 'down'
      ? 'The database stopped responding during the request'
      : 'The request did not end normally'
  return { status: 503, code: 'outcome_unknown', message: `${problem}, so ${outcome}`, retryAfterSeconds: 2 }
}
