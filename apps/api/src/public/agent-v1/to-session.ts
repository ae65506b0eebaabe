import { type AgentJob, type AgentSession, FAILURE_CODES } from '@corrigenda/contracts'

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
      return isSetupFailure(failure?.code) ? 'github_missconfigured' : 'error'
  }
}

const isSetupFailure = (code: string | undefined): boolean =>
  Object.entries(FAILURE_CODES).some(([known, by]) => known === code && by === 'setup')
