import type { JobOutcome, JobPhase, JobStatus } from './agent-job.ts'

/** States of a job in the dashboard, in display order. */
export const JOB_STATES = [
  'queued',
  'active',
  'completed',
  'no_changes',
  'needs_input',
  'failed',
  'cancelled',
  'archived',
] as const
export type JobState = (typeof JOB_STATES)[number]

/** The state of an active job, by phase. */
export const PHASE_STATES: Readonly<Record<JobPhase, JobState>> = {
  queued: 'queued',
  preparing: 'active',
  editing: 'active',
  checking: 'active',
  publishing: 'active',
}

/** The status and the state of a job that has ended, by outcome. */
export const OUTCOME_STATES: Readonly<
  Record<JobOutcome, { readonly status: Extract<JobStatus, 'completed' | 'failed'>; readonly state: JobState }>
> = {
  changed: { status: 'completed', state: 'completed' },
  no_changes: { status: 'completed', state: 'no_changes' },
  needs_input: { status: 'completed', state: 'needs_input' },
  failed: { status: 'failed', state: 'failed' },
  cancelled: { status: 'failed', state: 'cancelled' },
}

/**
 * Returns the state of a job. This file does not import any schemas, because it is part of the
 * dashboard's initial load.
 * @throws Error for an active job without a phase, or for an ended one without an outcome. The
 * database contains neither.
 */
export function toJobState(job: { status: JobStatus; phase: JobPhase | null; outcome: JobOutcome | null }): JobState {
  const { status, phase, outcome } = job
  if (status === 'archived') return 'archived'
  if (status === 'active' && phase !== null) return PHASE_STATES[phase]
  if (status !== 'active' && outcome !== null) return OUTCOME_STATES[outcome].state
  throw new Error(`A job cannot have the status ${status}, the phase ${phase} and the outcome ${outcome}.`)
}
