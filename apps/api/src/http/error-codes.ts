import type { ErrorCode } from '@corrigenda/core/base'

/** Status and documentation of one `x-error-code`. */
export interface ErrorFact {
  readonly status: number
  /** A sentence for the API reference: when the error is returned, and how to resolve it. */
  readonly meaning: string
}

/** Codes of requests that are rejected before they reach core. */
type HttpErrorCode =
  | 'invalid_json'
  | 'invalid_url'
  | 'unknown_path'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'url_too_long'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'too_many_requests'
  | 'internal_error'

export type RefusalCode = ErrorCode | HttpErrorCode

/**
 * The single list of error codes: the response status, and the description in the API reference.
 */
export const ERRORS: Readonly<Record<RefusalCode, ErrorFact>> = {
  unauthorized: {
    status: 401,
    meaning: 'The key is missing, malformed, unknown, expired or revoked. Send a valid one.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such thing, or it belongs to another project: the answer is the same.',
  },
  scope_missing: { status: 403, meaning: 'The key lacks the scope that this request needs. Make a key that has it.' },
  address_not_allowed: { status: 403, meaning: 'The key may only be used from other addresses.' },
  invalid_request: {
    status: 400,
    meaning: 'A parameter, a header or a field of the body does not fit. The sentence names it.',
  },
  idempotency_mismatch: {
    status: 422,
    meaning: 'The Idempotency-Key was used with another request. Use a new key for a new request.',
  },
  idempotency_in_flight: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  job_active: { status: 409, meaning: 'The job is active. Cancel it or wait for its end first.' },
  job_ended: { status: 409, meaning: 'The job has ended already. Read it to see its outcome.' },
  job_archived: { status: 409, meaning: 'The job is archived, which is final. Create a new one.' },
  pull_request_closed: {
    status: 409,
    meaning: 'The pull request of the job was merged or closed, so the job cannot go on. Create a new one.',
  },
  cancel_pending: {
    status: 503,
    meaning: 'The job was just opening its pull request. Send the cancellation again to learn how it ended.',
  },
  quota_exceeded: {
    status: 429,
    meaning: "The project's hourly quota is used up. Retry-After says when there is room again.",
  },
  duplicate_job: {
    status: 409,
    meaning:
      'A job works on the same prompt and base branch already: the sentence and the header x-job-id name it. Poll that one. Only answered where the request or the project asks for `dedupe`.',
  },
  too_many_pull_requests: {
    status: 409,
    meaning:
      'The project has as many open pull requests, or jobs that may open one, as its owner allows. Merge or close one, then post again.',
  },
  too_many_streams: {
    status: 503,
    meaning: 'This process has as many event streams as it may. Connect again after Retry-After, or poll the events.',
  },
  no_deploy_target: {
    status: 409,
    meaning: 'The project has nothing to deploy with. Configure a target with `corrigenda project update`.',
  },
  deploy_rate_exceeded: {
    status: 429,
    meaning: 'The project was asked to deploy 10 times in 10 seconds. Try again after Retry-After.',
  },
  webhook_limit: { status: 409, meaning: 'The project has 10 webhooks, which is all it may have. Remove one first.' },
  webhook_disabled: {
    status: 409,
    meaning: 'The webhook is disabled, so nothing is sent to it. Enable it first with {"disabled": false}.',
  },
  sign_in_required: { status: 401, meaning: 'Nobody is signed in, or the session has ended. Sign in.' },
  sign_in_failed: { status: 401, meaning: 'The e-mail address or the password is wrong.' },
  too_many_sign_ins: {
    status: 429,
    meaning: 'Too many failed sign-ins to this account from this address. Wait for Retry-After.',
  },
  password_wrong: { status: 403, meaning: 'The current password is wrong.' },
  no_password: { status: 409, meaning: 'The account signs in elsewhere and has no password to change.' },
  cross_site_request: {
    status: 403,
    meaning: 'A signed-in browser sent this from a page of another site. Use the dashboard itself, or an API key.',
  },
  setup_token_wrong: {
    status: 403,
    meaning: 'The first account is made with the token from the log of the service, and this is not it.',
  },
  already_set_up: { status: 409, meaning: 'The first account exists. Sign in, or ask for an invitation.' },
  account_exists: {
    status: 409,
    meaning: 'There is an account with this e-mail address. Sign in, then open the link again.',
  },
  invitation_email_mismatch: { status: 403, meaning: 'The invitation is for another e-mail address.' },
  role_missing: { status: 403, meaning: 'Your role in the project does not allow this. Ask an owner of the project.' },
  last_owner: { status: 409, meaning: 'A project keeps at least one owner. Make somebody else an owner first.' },
  last_operator: { status: 409, meaning: 'The service keeps at least one operator. Make somebody else one first.' },
  last_sign_in: { status: 409, meaning: 'It is the only way to sign in to the account. Set a password first.' },
  provider_linked: { status: 409, meaning: 'An account there is linked already. Take it away first.' },
  fresh_sign_in_required: {
    status: 403,
    meaning: 'This wants a sign-in of the last minutes. Confirm the password, or sign in again.',
  },
  invitation_limit: { status: 409, meaning: 'The project has 100 open invitations. Take some back first.' },
  key_rate_exceeded: {
    status: 429,
    meaning: 'Ten keys were made for the project within an hour. Try again after Retry-After.',
  },
  key_inactive: { status: 409, meaning: 'The key is revoked or has expired. Make a new one.' },
  project_active: { status: 409, meaning: 'The project has active jobs. Cancel them or wait for their end first.' },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot do this at the moment. Nothing was changed; try again after Retry-After.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON in UTF-8.' },
  invalid_url: { status: 400, meaning: 'The URL is not well encoded.' },
  unknown_path: { status: 404, meaning: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not with this method. Allow lists those it has.' },
  body_too_large: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  url_too_long: { status: 414, meaning: 'A part of the URL is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not declared as application/json.' },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  too_many_requests: {
    status: 429,
    meaning: 'Too many requests, or too many failed authentications, from one address. Wait for Retry-After.',
  },
  internal_error: {
    status: 500,
    meaning: 'Something went wrong on the side of the service. Report the x-request-id if it stays.',
  },
}

/**
 * Codes that only the dashboard's own endpoints and browser sessions return. The API reference
 * omits them, because it covers keys.
 */
export const DASHBOARD_CODES: ReadonlySet<RefusalCode> = new Set([
  'sign_in_required',
  'sign_in_failed',
  'too_many_sign_ins',
  'password_wrong',
  'no_password',
  'cross_site_request',
  'setup_token_wrong',
  'already_set_up',
  'account_exists',
  'invitation_email_mismatch',
  'role_missing',
  'last_owner',
  'last_operator',
  'last_sign_in',
  'provider_linked',
  'fresh_sign_in_required',
  'invitation_limit',
  'key_rate_exceeded',
  'key_inactive',
  'project_active',
])
