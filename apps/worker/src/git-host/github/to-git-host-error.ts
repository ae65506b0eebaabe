import { toRetryAfterMs } from '@corrigenda/git/http'
import { redactSecrets } from '@corrigenda/git/text'
import { GitHostError, type GitHostErrorCode } from '../git-host-error.ts'
import { type Refused, toRefusalAdvice } from './refusal-advice.ts'
import { RedirectRefused, ResponseTimeout } from './same-origin-fetch.ts'
import { toPullRequestProblem } from './to-pull-request-problem.ts'

/**
 * Delay after a secondary rate limit when the response does not specify one. GitHub recommends at
 * least a minute ("Best practices for using the REST API").
 */
const SECONDARY_WAIT_MS = 60_000

type Headers = Readonly<Record<string, string | number | undefined>>

interface Failure {
  readonly status?: number
  readonly message?: string
  readonly cause?: unknown
  readonly name?: string
  readonly response?: { readonly headers?: Headers; readonly data?: unknown }
}

/**
 * Returns true if the client library threw the error for a failed request rather than for a
 * programming error.
 */
export function isRequestFailure(error: unknown): boolean {
  return error instanceof Error && (error.name === 'HttpError' || error.name === 'AbortError')
}

export interface RequestContext {
  /** Completes "could not …" (for example "open the pull request"). */
  readonly what: string
  /** The host or repository. */
  readonly target: string
  /** The part of the repository that the request names, such as "the branch main". */
  readonly subject?: string
  /** The permissions that the request needs. */
  readonly needs?: string
}

/** Maps the client library's error for a failed request. */
export function toGitHostError(error: unknown, context: RequestContext, now = Date.now()): GitHostError {
  const failure: Failure = typeof error === 'object' && error !== null ? error : {}
  const could = `Could not ${context.what} (${context.target})`
  if (error instanceof RedirectRefused) return new GitHostError('redirected', `${could}: ${error.message}`)
  if (failure.response === undefined) return toMissingResponse(could, failure)

  const status = failure.status ?? 0
  const { headers = {}, data } = failure.response
  const reason = hasMessage(data) ? toExcerpt(failure.message) : null
  const retryAfterMs = toWaitMs(headers, now)
  const fail = (code: GitHostErrorCode, advice: string, wait: number | null = retryAfterMs) =>
    new GitHostError(code, `${could}: ${advice}`, { status, retryAfterMs: wait })

  if (status === 429 || (status === 403 && isRateLimit(failure, headers))) {
    const wait = retryAfterMs ?? SECONDARY_WAIT_MS
    return fail(
      'rate_limited',
      `the host's rate limit is exhausted. It resets in ${Math.ceil(wait / 1000)} seconds.`,
      wait,
    )
  }
  if (status === 408) return fail('timeout', 'the host did not receive the request in time. Try again later.')
  if (status >= 500) return fail('server_error', `the host responded with ${status}. Try again later.`)
  if (status === 401)
    return fail('unauthorized', 'the host rejected the credential. Check that it is valid and not expired.')
  if (status === 403 && /archived/i.test(reason ?? '')) {
    return fail(
      'archived',
      'the repository is archived and read-only. Unarchive it or choose a different repository for the project.',
    )
  }
  const refused: Refused = { status, reason, sso: String(headers['x-github-sso'] ?? ''), ...context }
  if (status === 403 || status === 451) return fail('forbidden', toRefusalAdvice(refused))
  if (status === 404 || status === 410) return fail('not_found', toRefusalAdvice(refused))
  if (reason === null) return fail('server_error', toRefusalAdvice(refused))
  const message = `${could}: the host rejected the request with ${status}: ${reason}`
  const problem = toPullRequestProblem(data, message)
  return new GitHostError('validation', message, { status, problem })
}

/** Returns false for a page of a proxy or of a host that is not GitHub. */
function hasMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
}

function toMissingResponse(could: string, failure: Failure): GitHostError {
  if (failure.cause instanceof ResponseTimeout) {
    return new GitHostError(
      'timeout',
      `${could}: the host did not send a complete response within ${failure.cause.afterMs / 1000} seconds.`,
    )
  }
  if (failure.name === 'AbortError') return new GitHostError('aborted', `${could}: the request was aborted.`)
  const reason = findSystemCode(failure)
  return new GitHostError(
    'network',
    `${could}: the connection failed${reason ? ` (${reason})` : ''}. Check the network and the host's URL.`,
  )
}

function isRateLimit(failure: Failure, headers: Headers): boolean {
  if (toInteger(headers['x-ratelimit-remaining']) === 0) return true
  return headers['retry-after'] !== undefined || /rate limit|abuse detection/i.test(failure.message ?? '')
}

/**
 * Returns the wait requested by the headers, in ms. `retry-after` (seconds or a date) takes
 * precedence over `x-ratelimit-reset` (epoch seconds, relevant only if no requests remain).
 */
function toWaitMs(headers: Headers, now: number): number | null {
  const retryAfterMs = toRetryAfterMs(headers['retry-after'], now)
  if (retryAfterMs !== null) return retryAfterMs
  const reset = toInteger(headers['x-ratelimit-reset'])
  if (toInteger(headers['x-ratelimit-remaining']) !== 0 || !(reset > 0)) return null
  return Math.max(0, reset * 1000 - now) + 1000
}

/** A proxy may repeat a header, whose values are then joined with commas. */
const toInteger = (value: Headers[string]): number => Number.parseInt(String(value), 10)

/**
 * Returns the host's message for display with the job: one line, without the documentation link,
 * shortened and redacted.
 */
function toExcerpt(message: string | undefined): string {
  const line = redactSecrets((message ?? '').slice(0, 10_000))
    .replace(/ - https?:\S+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line || 'no reason given'
}

function findSystemCode(failure: Failure): string | null {
  let at: unknown = failure
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth += 1) {
    const code = 'code' in at ? at.code : undefined
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code
    at = 'cause' in at ? at.cause : null
  }
  return null
}
