import { findJobEvent, formatCallSubject, type JobEvent, type JobEventRecord } from '@corrigenda/contracts'

/**
 * Formats one event as a line of text. For unknown events from a newer service, returns only the
 * type.
 */
export function formatEvent(record: JobEventRecord): string {
  const event = findJobEvent(record)
  return event === null ? record.type : formatKnown(event)
}

function formatKnown({ type, data }: JobEvent): string {
  switch (type) {
    case 'job.created':
      return 'accepted'
    case 'job.started':
      return 'a worker started the job'
    case 'job.resumed':
      return `a worker resumed the job (attempt ${data.attempt})`
    case 'job.released':
      return data.reason === 'shutdown'
        ? 'released: the worker is shutting down'
        : `waiting until ${data.notBefore ?? ''}`
    case 'checkout.ready':
      return `checked out ${data.baseBranch} at ${data.baseCommit.slice(0, 10)}`
    case 'policy.read':
      return `the repository restricts the policy: ${data.path}`
    case 'instructions.read':
      return `  read instructions: ${data.path}`
    case 'prompt.shortened':
      return `  the prompt is too long for the model: ${data.omitted} of ${data.characters} characters are omitted`
    case 'agent.said':
      return `  ${data.text}`
    case 'tool.called': {
      const { tool, subject, target = null, source = null } = data
      return `  ${tool} ${formatCallSubject({ subject, target, source })}`.trimEnd()
    }
    case 'phase.changed':
      return data.phase
    case 'change.frozen':
      return `commit ${data.commit.slice(0, 10)} is ready`
    case 'branch.pushed':
      return `pushed branch ${data.branch}`
    case 'job.completed':
      return `completed: ${data.outcome}`
    case 'job.failed':
      return `failed: ${data.code}`
    case 'remark.received':
      return `comment by ${data.author}${data.ignored === null ? '' : ` ignored: ${data.ignored}`}`
    case 'remark.answered':
      return `answered comments${data.commit === null ? '' : ` with ${data.commit.slice(0, 10)}`}`
    case 'message.received':
    case 'message.delivered':
    case 'job.continued':
    case 'run.ended':
    case 'run.restarted':
    case 'job.archived':
    case 'job.unarchived':
    case 'pull_request.updated':
    case 'deployment.finished':
      return type
  }
}
