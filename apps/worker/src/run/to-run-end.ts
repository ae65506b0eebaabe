import type { FailureCode } from '@corrigenda/contracts'
import { GitHttpError, type GitHttpErrorCode } from '@corrigenda/git/http'
import { RepositoryError, type RepositoryErrorCode } from '@corrigenda/git/objects'
import { UnreadableContentError } from '../agent-work/open-agent-threads.ts'
import { CredentialsError, type CredentialsErrorCode } from '../git-host/credentials.ts'
import { GitHostError, type GitHostErrorCode } from '../git-host/git-host-error.ts'
import { type LaterEnding, RetriedFailure } from './run-failure.ts'

/** Result of an external error: the job fails, or the run continues later. */
type RunEnd = { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string } | LaterEnding

interface Rule {
  /**
   * `later`: the error may be temporary, so the run is retried first. `code` is the final failure
   * code in both cases.
   */
  readonly kind: RunEnd['kind']
  readonly code: FailureCode
}

const failed = (code: FailureCode): Rule => ({ kind: 'failed', code })
const later = (code: FailureCode): Rule => ({ kind: 'later', code })

/** Rules for Git host errors, from git and from the REST API. */
const HOST_RULES: Readonly<Record<GitHttpErrorCode | GitHostErrorCode, Rule>> = {
  rate_limited: later('git_host_rate_limited'),
  server_error: later('git_host_server_error'),
  network: later('git_host_network'),
  timeout: later('git_host_timeout'),
  // Interruptions of the work have separate errors. All other aborts are caused by this service's
  // deadlines.
  aborted: later('git_host_timeout'),
  // The response is a page from a proxy, or from a host under maintenance.
  protocol: later('git_host_protocol'),
  unauthorized: failed('git_host_unauthorized'),
  forbidden: failed('git_host_forbidden'),
  not_found: failed('git_host_not_found'),
  archived: failed('git_host_archived'),
  redirected: failed('git_host_redirected'),
  too_large: failed('git_host_too_large'),
  validation: failed('git_host_validation'),
}

/** Rules for errors in the repository or its local copy. */
const REPOSITORY_RULES: Readonly<Record<RepositoryErrorCode, Rule>> = {
  branch_not_found: failed('repository_branch_not_found'),
  empty_repository: failed('repository_empty_repository'),
  commit_not_found: failed('repository_commit_not_found'),
  too_large: failed('repository_too_large'),
  hostile_tree: failed('repository_hostile_tree'),
  unreadable_tree: failed('repository_unreadable_tree'),
  // A retry rebuilds a damaged copy, and disk space may become available.
  object_not_found: later('repository_object_not_found'),
  corrupt_pack: later('repository_corrupt_pack'),
  build_failed: later('repository_build_failed'),
  closed: later('repository_build_failed'),
}

/** Rules for credential errors. */
const CREDENTIALS_RULES: Readonly<Record<CredentialsErrorCode, Rule>> = {
  credential_missing: failed('credential_missing'),
  host_not_allowed: failed('repository_not_allowed'),
  bad_app_key: failed('github_bad_app_key'),
  app_refused: failed('github_app_refused'),
  installation_missing: failed('github_installation_missing'),
  permission_missing: failed('github_permission_missing'),
  token_too_broad: failed('github_token_too_broad'),
}

/** Maps an external error to the run's end. Returns null for an unexpected error (a bug). */
export function toRunEnd(error: unknown): RunEnd | null {
  if (error instanceof RetriedFailure) {
    const { code, message, afterMs } = error
    return { kind: 'later', code, message, afterMs }
  }
  if (error instanceof UnreadableContentError)
    return { kind: 'failed', code: 'unreadable_content', message: error.message }
  if (error instanceof RepositoryError) return toEnd(REPOSITORY_RULES[error.code], error.message, null)
  if (error instanceof CredentialsError) return toEnd(CREDENTIALS_RULES[error.code], error.message, null)
  if (!(error instanceof GitHttpError || error instanceof GitHostError)) return null
  // Over git, the host returns the same status for everything it forbids, and gives the reason only
  // in the message.
  const isArchived = error.code === 'forbidden' && /\barchived\b/i.test(error.message)
  return toEnd(HOST_RULES[isArchived ? 'archived' : error.code], error.message, error.retryAfterMs)
}

function toEnd({ kind, code }: Rule, message: string, afterMs: number | null): RunEnd {
  return kind === 'failed' ? { kind, code, message } : { kind, code, message, afterMs }
}
