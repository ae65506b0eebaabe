import { z } from 'zod'

/**
 * Body of every error response, with exactly one field. The `x-error-code` header contains the
 * machine-readable code.
 */
export const ErrorBody = z.object({ error: z.string() })
export type ErrorBody = z.infer<typeof ErrorBody>

export interface ErrorFact {
  readonly status: number
  /** A sentence for the API reference: when the error is returned, and how to resolve it. */
  readonly meaning: string
  /**
   * True if only the dashboard's own endpoints and browser sessions return the error. The API
   * reference omits it, because it covers only API keys.
   */
  readonly isDashboardOnly?: boolean
}

/** The single list of the stable error codes that are sent in `x-error-code`. */
export const ERRORS = {
  unauthorized: {
    status: 401,
    meaning: 'The key is missing, malformed, unknown, expired or revoked. Send a valid one.',
  },
  not_found: {
    status: 404,
    meaning: 'The object does not exist or belongs to another project. Both cases return the same response.',
  },
  scope_missing: {
    status: 403,
    meaning: 'The key lacks the scope that this request requires. Create a key with this scope.',
  },
  address_not_allowed: { status: 403, meaning: 'The key does not allow requests from this IP address.' },
  invalid_request: {
    status: 400,
    meaning: 'A parameter, a header or a field of the body is invalid. The error message names it.',
  },
  idempotency_mismatch: {
    status: 422,
    meaning: 'The Idempotency-Key was already used with a different request. Use a new key for a new request.',
  },
  idempotency_in_flight: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still in progress. Try again in a moment.',
  },
  job_active: { status: 409, meaning: 'The job is active. Cancel it or wait until it ends.' },
  job_ended: { status: 409, meaning: 'The job has already ended. Read it to see its outcome.' },
  job_archived: { status: 409, meaning: 'The job is archived. Unarchive it first, or create a new job.' },
  pull_request_closed: {
    status: 409,
    meaning: "The job's pull request was merged or closed, so the job cannot continue. Create a new job.",
  },
  cancel_pending: {
    status: 503,
    meaning: 'The job was opening its pull request. Send the request again to find out how the job ended.',
  },
  quota_exceeded: {
    status: 429,
    meaning: "The project's quota is used up. Try again after Retry-After.",
  },
  duplicate_job: {
    status: 409,
    meaning:
      'Another job with the same prompt and base branch is active. The error message and the x-job-id header contain its id. Poll that job. Returned only if the request or the project enables `dedupe`.',
  },
  too_many_pull_requests: {
    status: 409,
    meaning:
      'The project has reached its open pull request limit. Active jobs without a pull request also count toward the limit. Merge or close a pull request, then try again.',
  },
  monthly_budget_exceeded: {
    status: 409,
    meaning:
      'The monthly budget of the project or the service is used up. The error message contains the end of the month. Wait until then, or raise the budget.',
  },
  too_many_streams: {
    status: 503,
    meaning: 'This process has reached its event stream limit. Connect again after Retry-After, or poll the events.',
  },
  no_deploy_target: {
    status: 409,
    meaning: 'The project has no deploy target. Configure one with `corrigenda project update`.',
  },
  no_preview_url: {
    status: 409,
    meaning: 'The project has no URL for previews. Set `previewUrlTemplate` in the project settings.',
  },
  deploy_rate_exceeded: {
    status: 429,
    meaning:
      'The project has reached the limit of 10 deploy requests in 10 seconds, or of 5 previews in a minute. Try again after Retry-After.',
  },
  webhook_limit: { status: 409, meaning: 'The project has reached the limit of 10 webhooks. Delete one first.' },
  webhook_disabled: {
    status: 409,
    meaning: 'The webhook is disabled, so no events are sent to it. Enable it first with {"disabled": false}.',
  },
  sign_in_required: {
    status: 401,
    isDashboardOnly: true,
    meaning: 'No user is signed in, or the session has ended. Sign in.',
  },
  sign_in_failed: { status: 401, isDashboardOnly: true, meaning: 'The email address or the password is wrong.' },
  too_many_sign_ins: {
    status: 429,
    isDashboardOnly: true,
    meaning: 'Too many failed sign-ins to this account from this IP address. Try again after Retry-After.',
  },
  password_sign_in_disabled: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'Passwords are turned off on this service. Sign in with an identity provider.',
  },
  sign_in_link_invalid: {
    status: 401,
    isDashboardOnly: true,
    meaning: 'The sign-in link is unknown, used or expired. Create a new one.',
  },
  password_wrong: { status: 403, isDashboardOnly: true, meaning: 'The current password is wrong.' },
  no_password: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'The account signs in with an identity provider and has no password.',
  },
  cross_site_request: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'A browser sent this request from a page on another site. Use the dashboard or an API key.',
  },
  setup_token_wrong: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'The setup token is wrong. Use the token from the service log.',
  },
  already_set_up: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'The first account already exists. Sign in, or ask for an invitation.',
  },
  account_exists: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'An account with this email address already exists. Sign in, then open the link again.',
  },
  invitation_email_mismatch: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'The invitation is for a different email address.',
  },
  role_missing: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'Your role in the project does not allow this action. Ask a project owner.',
  },
  last_owner: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'A project needs at least one owner. Make another member an owner first.',
  },
  last_operator: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'The service needs at least one admin. Make another user an admin first.',
  },
  last_sign_in: {
    status: 409,
    isDashboardOnly: true,
    meaning: "This is the account's only sign-in method. Add another one first.",
  },
  managed_by_group: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'The access comes from a group of the identity provider. Remove the user from the group there.',
  },
  provider_linked: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'Another account at this provider is already linked. Unlink it first.',
  },
  fresh_sign_in_required: {
    status: 403,
    isDashboardOnly: true,
    meaning: 'This action requires a recent sign-in. Confirm the password, or sign in again.',
  },
  invitation_limit: {
    status: 409,
    isDashboardOnly: true,
    meaning: 'The project has reached the limit of 100 open invitations. Revoke some first.',
  },
  key_rate_exceeded: {
    status: 429,
    isDashboardOnly: true,
    meaning: 'The project has reached the limit of 10 new keys per hour. Try again after Retry-After.',
  },
  key_inactive: { status: 409, isDashboardOnly: true, meaning: 'The key is revoked or has expired. Create a new key.' },
  service_unavailable: {
    status: 503,
    meaning:
      'The service is temporarily unavailable, or the request waited too long. Nothing was changed. Try again after Retry-After.',
  },
  outcome_unknown: {
    status: 503,
    meaning:
      'The connection to the database was lost, or the request took too long, so the request may have been processed. Send it again with the same Idempotency-Key. If it had none, check its result first.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON in UTF-8.' },
  invalid_url: { status: 400, meaning: 'The URL is not correctly encoded.' },
  unknown_path: { status: 404, meaning: 'This path does not exist.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. The Allow header lists the supported methods.',
  },
  body_too_large: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  url_too_long: { status: 414, meaning: 'A part of the URL is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The Content-Type of the body is not application/json.' },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  too_many_requests: {
    status: 429,
    meaning:
      'Too many requests from one IP address, API key or user, too many of them at the same time, or too many failed authentications. Try again after Retry-After.',
  },
  internal_error: {
    status: 500,
    meaning:
      'An internal error occurred. If the error says that the request may have been processed, send it again with the same Idempotency-Key, or check its result first. Report the x-request-id if the error persists.',
  },
} satisfies Record<string, ErrorFact>

export type ErrorCode = keyof typeof ERRORS
