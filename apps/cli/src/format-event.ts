import type { JobEvent } from '@corrigenda/contracts'

/** One event as a line for people. */
export function formatEvent({ type, data }: JobEvent): string {
  const text = (name: string) => String(data[name] ?? '')
  switch (type) {
    case 'job.created':
      return 'accepted'
    case 'job.started':
      return 'a worker started'
    case 'job.resumed':
      return `a worker continues (attempt ${text('attempt')})`
    case 'job.released':
      return data.reason === 'shutdown' ? 'handed back: the worker shuts down' : `waiting until ${text('notBefore')}`
    case 'checkout.ready':
      return `checked out ${text('baseBranch')} at ${text('baseCommit').slice(0, 10)}`
    case 'policy.read':
      return `the repository narrows what may change: ${text('path')}`
    case 'instructions.read':
      return `  reads instructions: ${text('path')}`
    case 'agent.said':
      return `  ${text('text')}`
    case 'tool.called':
      return `  ${text('tool')} ${text('subject')}`.trimEnd()
    case 'phase.changed':
      return text('phase')
    case 'change.frozen':
      return `commit ${text('commit').slice(0, 10)} is ready`
    case 'branch.pushed':
      return `pushed branch ${text('branch')}`
    case 'job.completed':
      return `completed: ${text('outcome')}`
    case 'job.failed':
      return `failed: ${text('code')}`
    default:
      return type
  }
}
