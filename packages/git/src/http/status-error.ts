import { GitHttpError } from './git-http-error.ts'
import { toRetryAfterMs } from './retry-after.ts'
import type { HttpAnswer } from './send-request.ts'
import { toSafeText } from './upload-pack-dialect.ts'

/** Maps an HTTP status other than 200 to an error. */
export function toStatusError(response: HttpAnswer): GitHttpError {
  const { status, headers } = response
  const retryAfterMs = toRetryAfterMs(headers['retry-after'])
  const details = retryAfterMs === null ? { status } : { status, retryAfterMs }
  const limited = status === 403 && (retryAfterMs !== null || headers['x-ratelimit-remaining'] === '0')
  if (status === 429 || limited) {
    return new GitHttpError('rate_limited', "The Git host's rate limit was exceeded.", details)
  }
  if (status >= 300 && status < 400) {
    return new GitHttpError('redirected', 'The repository has moved. Correct the repository URL.', details)
  }
  if (status === 401 || status === 203) {
    return new GitHttpError('unauthorized', 'The Git host rejected the token.', details)
  }
  if (status === 403) {
    const reason = toReason(response)
    return new GitHttpError('forbidden', `The Git host denied access to the repository${reason}.`, details)
  }
  if (status === 404 || status === 410) {
    return new GitHttpError(
      'not_found',
      'The repository does not exist on the Git host, or the token does not have access to it.',
      details,
    )
  }
  if (status === 413)
    return new GitHttpError('too_large', 'The Git host rejected the request because it is too large.', details)
  if (status >= 500) return new GitHttpError('server_error', `The Git host responded with status ${status}.`, details)
  return new GitHttpError('protocol', `The Git host responded with the unexpected status ${status}.`, details)
}

function toReason(response: HttpAnswer): string {
  if (!(response.headers['content-type'] ?? '').toLowerCase().startsWith('text/plain')) return ''
  const text = toSafeText(response.body.toString('utf8', 0, 500)).replace(/(?<![.\s])[.\s]+$/, '')
  return text === '' ? '' : `: ${text}`
}
