import type { AgentJob } from './agent-job.ts'
import type { JobState } from './dashboard-job.ts'

/**
 * Returns a job's state for the dashboard. This file does not import any schemas, because it is
 * part of the dashboard's initial load.
 */
export function toJobState({ status, phase, outcome }: Pick<AgentJob, 'status' | 'phase' | 'outcome'>): JobState {
  if (status === 'archived') return 'archived'
  if (status === 'active') return phase === null || phase === 'queued' ? 'queued' : 'active'
  if (status === 'failed') return outcome === 'cancelled' ? 'cancelled' : 'failed'
  return outcome === 'no_changes' || outcome === 'needs_input' || outcome === 'rehearsal' ? outcome : 'completed'
}
