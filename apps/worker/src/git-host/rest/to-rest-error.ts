import { toRetryAfterMs } from '@corrigenda/git/http'
import { redactSecrets } from '@corrigenda/git/text'
import { GitHostError, type GitHostErrorCode } from '../git-host-error.ts'
import { RedirectRefused, ResponseTimeout } from '../same-origin-fetch.ts'

/** Delay after a rate limit when the response does not specify one. */
const RATE_LIMIT_WAIT_MS = 60_000

interface Context {
  readonly what: string
  readonly target: string
  /** Name of the kind of host. */
  readonly label: string
  readonly subject?: string
  readonly needs?: string
  readonly signal: AbortSignal
}

type Failure = { readonly error: unknown } | { readonly response: Response; readonly text: string }

/**
 * Maps a failed request by its status. The hosts' messages are localized, so they are quoted but
 * never interpreted.
 */
export function toRestError(failure: Failure, context: Context): GitHostError {
  const could = `Could not ${context.what} (${context.target})`
  if ('error' in failure) return toMissingResponse(could, failure.error, context.signal)
  const { response, text } = failure
  const { status, headers } = response
  const reason = readReason(text)
  const retryAfterMs = toRetryAfterMs(headers.get('retry-after') ?? undefined, Date.now())
  const fail = (code: GitHostErrorCode, advice: string) =>
    new GitHostError(code, `${could}: ${advice}`, { status, retryAfterMs })
  const quote = reason === null ? '' : ` The host reports: ${reason}`
  const named = context.subject === undefined ? '' : ` or ${context.subject}`
  switch (status) {
    case 429: {
      const wait = retryAfterMs ?? RATE_LIMIT_WAIT_MS
      const advice = `the host's rate limit is exhausted. It resets in ${Math.ceil(wait / 1000)} seconds.`
      return new GitHostError('rate_limited', `${could}: ${advice}`, { status, retryAfterMs: wait })
    }
    case 408:
      return fail('timeout', 'the host did not receive the request in time. Try again later.')
    case 401:
      return fail('unauthorized', 'the host rejected the token. Check that it is valid and not expired.')
    case 403:
      return fail('forbidden', `the token lacks permission. Grant it ${context.needs ?? 'access'}.${quote}`)
    case 404:
    case 410:
      if (reason !== null) {
        return fail('not_found', `the repository${named} does not exist, or the token has no access to it.${quote}`)
      }
      break
    case 423:
      return fail(
        'archived',
        'the repository is archived and read-only. Unarchive it or choose a different repository for the project.',
      )
  }
  if (status >= 500) return fail('server_error', `the host responded with ${status}. Try again later.`)
  if (reason === null) {
    return fail(
      'server_error',
      `the host or a proxy responded with ${status}, but not in the format of ${context.label}'s API. Check that GIT_HOSTS declares the kind and the address of the host.`,
    )
  }
  return fail('validation', `the host rejected the request with ${status}: ${reason}`)
}

function toMissingResponse(could: string, error: unknown, signal: AbortSignal): GitHostError {
  if (error instanceof RedirectRefused) return new GitHostError('redirected', `${could}: ${error.message}`)
  if (error instanceof ResponseTimeout) {
    const seconds = error.afterMs / 1000
    return new GitHostError('timeout', `${could}: the host did not send a complete response within ${seconds} seconds.`)
  }
  if (signal.aborted) return new GitHostError('aborted', `${could}: the request was aborted.`)
  return new GitHostError('network', `${could}: the connection failed. Check the network and the host's URL.`)
}

/**
 * Returns the host's message in one line, shortened and redacted. The field is `message` or
 * `error`, and its value a text, a list, or an object of lists. Null for a page of a proxy.
 */
function readReason(text: string): string | null {
  const data = parse(text)
  if (typeof data !== 'object' || data === null) return null
  const found = 'message' in data ? data.message : 'error' in data ? data.error : undefined
  const words = toWords(found)
  if (words === '') return null
  const line = redactSecrets(words.slice(0, 10_000)).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

function toWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(toWords).join('; ')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${toWords(one)}`)
    .join('; ')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
