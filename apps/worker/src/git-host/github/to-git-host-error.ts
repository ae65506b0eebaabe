import { toRetryAfterMs } from '@corrigenda/git/http'
import { redactSecrets } from '@corrigenda/git/text'
import { GitHostError, type GitHostErrorCode, type PullRequestProblem } from '../git-host-error.ts'
import { RedirectRefused, ResponseTimeout } from '../same-origin-fetch.ts'

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

/** A request that the host refused for good, with what is known about it. */
interface Refused {
  readonly status: number
  /** The host's own reason: one line. Null if the response is not in the format of GitHub's API. */
  readonly reason: string | null
  /** Value of the header `x-github-sso`, which may contain a URL; empty without one. */
  readonly sso: string
  /** The part of the repository that the request names, such as "the branch main". */
  readonly subject?: string
  /** The permissions that the request needs. */
  readonly needs?: string
}

/**
 * Advice for refusals that have other causes than a missing permission
 * (https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api). The first matching
 * pattern applies.
 */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /IP allow list/i,
    "the organization's IP allow list does not contain the address of this request. Add the address of the workers to the list.",
  ],
  [
    /login attempts/i,
    'the host has locked the account after failed sign-ins. Check the credential, and try again when the lock has ended.',
  ],
  [
    /access blocked|DMCA|takedown|repository (?:is |has been )?disabled|suspended/i,
    'the host has blocked the repository or the account. Ask its owner or the support of the host.',
  ],
  [
    /forbids access|access restrictions/i,
    'the organization does not allow this kind of credential. Ask its owner to allow it, or use a different credential.',
  ],
  [/no common ancestor/i, 'the two commits have no common history, for example because the branch was rewritten.'],
  [/branch not found/i, 'the branch does not exist. Correct its name or create it.'],
]

/**
 * Explains a refusal that a retry does not resolve, with the host's own reason.
 * @returns completes "could not …: "
 */
function toRefusalAdvice(refused: Refused): string {
  const { status, reason } = refused
  if (reason === null) {
    return `the host or a proxy responded with ${status}, but not in the format of GitHub's API. Check that GITHUB_API_URL is the URL of its REST API.`
  }
  const isKnown = /^(?:not found|gone)$/i.test(reason)
  return isKnown ? findAdvice(refused, reason) : `${findAdvice(refused, reason)} The host reports: ${reason}`
}

function findAdvice({ status, sso, subject, needs }: Refused, reason: string): string {
  if (sso.startsWith('required') || /\bSAML\b/.test(reason)) {
    const url = /url=(https?:\/\/[^\s;,]{1,500})/i.exec(sso)?.[1]
    const where = url === undefined ? 'the token settings of the account' : url
    return `the organization requires single sign-on (SAML). Open ${where} and authorize the token for the organization.`
  }
  for (const [pattern, advice] of CAUSES) if (pattern.test(reason)) return advice
  if (status === 451) return 'the host has blocked the repository for legal reasons. Ask its owner.'
  if (status === 403) return `the credential lacks permission.${needs ? ` Grant it ${needs}.` : ''}`
  if (subject !== undefined) {
    return `the repository or ${subject} does not exist, or the credential has no access.`
  }
  return 'the repository does not exist or the credential has no access to it.'
}

interface Entry {
  readonly field: string | null
  readonly message: string | null
}

/**
 * Maps GitHub's 422 responses. The reason is in one of the `errors`, which are objects or texts, or
 * only in the top-level message. Returns null for errors that do not concern opening a pull request.
 * @param message the response's top-level message
 */
export function toPullRequestProblem(data: unknown, message: string): PullRequestProblem | null {
  const entries = toEntries(data)
  const says = (pattern: RegExp) => pattern.test(message) || entries.some((one) => pattern.test(one.message ?? ''))
  const names = (...fields: string[]) => entries.some(({ field }) => field !== null && fields.includes(field))
  if (says(/already exists/i)) return 'already_exists'
  if (says(/draft pull requests are not supported/i)) return 'no_drafts'
  // For an unknown branch, some versions also report that there are no commits.
  if (names('head', 'head_sha') || says(/head (?:sha can't be blank|ref must be a branch)/i)) return 'unknown_head'
  if (names('base', 'base_sha') || says(/base (?:sha can't be blank|ref must be a branch)/i)) return 'unknown_base'
  return says(/no commits between/i) ? 'no_commits' : null
}

function toEntries(data: unknown): Entry[] {
  const errors = typeof data === 'object' && data !== null && 'errors' in data ? data.errors : []
  return [errors].flat().map((one: unknown) => {
    if (typeof one === 'string') return { field: null, message: one }
    const entry = typeof one === 'object' && one !== null ? one : {}
    const field = 'field' in entry && typeof entry.field === 'string' ? entry.field : null
    const message = 'message' in entry && typeof entry.message === 'string' ? entry.message : null
    return { field, message }
  })
}
