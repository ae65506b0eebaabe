import { toDuration } from '../format/amounts.ts'
import { ApiError } from './api-error.ts'

/** Returns the message to show for any thrown value. */
export function toSentence(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.'
  const { message, retryAfterSeconds, status, requestId } = error
  if (status === 429 && retryAfterSeconds !== null)
    return `${message} Try again in ${toDuration(retryAfterSeconds * 1000)}.`
  return status >= 500 && requestId ? `${message} (Request ${requestId})` : message
}
