import type { AgentJob } from './agent-job.ts'
import type { JobState } from './dashboard-job.ts'

/**
 * Returns the state of a job for the dashboard. Imports no schema, because it is part of the
 * dashboard's first load.
 */
export function toJobState({ status, phase, outcome }: Pick<AgentJob, 'status' | 'phase' | 'outcome'>): JobState {
  if (status === 'archived') return 'archived'
  if (status === 'active') return phase === null || phase === 'queued' ? 'queued' : 'active'
  if (status === 'failed') return outcome === 'cancelled' ? 'cancelled' : 'failed'
  return outcome === 'no_changes' || outcome === 'needs_input' ? outcome : 'completed'
}
