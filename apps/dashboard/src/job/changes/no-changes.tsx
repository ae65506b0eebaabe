import type { AgentJob } from '@corrigenda/contracts'
import { EmptyState } from '../../components/empty-state.tsx'

export function NoChanges({ job }: { job: AgentJob }) {
  if (job.status === 'active') {
    return (
      <EmptyState title="No changes yet">
        <p>Changes will appear here when the agent finishes editing.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No files changed">
      <p>{job.outcome === 'no_changes' ? 'The agent made no changes.' : 'The job ended without changes.'}</p>
    </EmptyState>
  )
}
