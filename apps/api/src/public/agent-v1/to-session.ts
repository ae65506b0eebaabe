import type { AgentJob, AgentSession, FailureCode } from '@corrigenda/contracts'

/** Failures that the owner of the repository can resolve, by changing its settings or permissions. */
const MISCONFIGURED = new Set([
  'branch_protected',
  'credential_missing',
  'git_host_archived',
  'git_host_forbidden',
  'git_host_not_found',
  'git_host_redirected',
  'git_host_unauthorized',
  'github_app_refused',
  'github_bad_app_key',
  'github_installation_missing',
  'github_permission_missing',
  'github_token_too_broad',
  'repository_branch_not_found',
  'repository_empty_repository',
  'repository_not_allowed',
] satisfies FailureCode[] as string[])

/** Converts a job to the form of version 1. */
export function toSession(job: AgentJob): AgentSession {
  const haultReason = toHaultReason(job)
  const isProcessing = haultReason === 'processing'
  return {
    sessionId: job.id,
    subdomain: '',
    branch: job.source.ref ?? job.pullRequest?.branch ?? null,
    haulted: !isProcessing,
    haultReason,
    pullRequestLink: job.prLink ?? job.pullRequest?.url ?? '',
    messageToUser: isProcessing ? '' : (job.failure?.message ?? job.summary ?? ''),
    todos: [],
    title: job.title ?? '',
    createdAt: job.createdAt,
  }
}

function toHaultReason({ outcome, failure }: AgentJob): AgentSession['haultReason'] {
  switch (outcome) {
    case null:
      return 'processing'
    case 'changed':
    case 'no_changes':
    case 'needs_input':
      return 'completed'
    case 'cancelled':
      return 'interrupted'
    case 'failed':
      return MISCONFIGURED.has(failure?.code ?? '') ? 'github_missconfigured' : 'error'
  }
}
