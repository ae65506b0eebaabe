/** Stable error codes, sent in `x-error-code`. The API maps each one to an HTTP status. */
export type ErrorCode =
  | 'unauthorized'
  | 'not_found'
  | 'scope_missing'
  | 'address_not_allowed'
  | 'invalid_request'
  | 'idempotency_mismatch'
  | 'idempotency_in_flight'
  | 'job_active'
  | 'job_ended'
  | 'job_archived'
  | 'pull_request_closed'
  | 'cancel_pending'
  | 'quota_exceeded'
  | 'duplicate_job'
  | 'too_many_pull_requests'
  | 'monthly_budget_exceeded'
  | 'too_many_streams'
  | 'no_deploy_target'
  | 'no_preview_url'
  | 'deploy_rate_exceeded'
  | 'webhook_limit'
  | 'webhook_disabled'
  | 'sign_in_required'
  | 'sign_in_failed'
  | 'too_many_sign_ins'
  | 'password_wrong'
  | 'password_sign_in_disabled'
  | 'sign_in_link_invalid'
  | 'no_password'
  | 'cross_site_request'
  | 'setup_token_wrong'
  | 'already_set_up'
  | 'account_exists'
  | 'invitation_email_mismatch'
  | 'role_missing'
  | 'last_owner'
  | 'last_operator'
  | 'last_sign_in'
  | 'managed_by_group'
  | 'provider_linked'
  | 'fresh_sign_in_required'
  | 'invitation_limit'
  | 'key_rate_exceeded'
  | 'key_inactive'
  | 'service_unavailable'
  | 'outcome_unknown'

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
 * Thrown when a lease is lost because another worker claimed the row or the row's work has ended.
 * The caller must stop immediately and write nothing.
 */
export class LostLeaseError extends Error {
  constructor(runId: string) {
    super(`lost the lease on ${runId}`)
    this.name = 'LostLeaseError'
  }
}
