import type { AgentJob, JobOutcome, JobPhase, JobStatus, PullRequestState } from './agent-job.ts'

/** States of a job in the dashboard, in display order: what needs a person, what runs, what is done. */
export const JOB_STATES = [
  'needs_review',
  'needs_input',
  'failed',
  'queued',
  'active',
  'merged',
  'closed',
  'no_changes',
  'cancelled',
  'archived',
] as const
export type JobState = (typeof JOB_STATES)[number]

/** The states of jobs that wait for a person. */
export const ATTENTION_STATES = ['needs_review', 'needs_input', 'failed'] as const satisfies readonly JobState[]

/** The states of jobs that a person or a worker has to continue. The list shows them first. */
export const OPEN_STATES: readonly JobState[] = [...ATTENTION_STATES, 'queued', 'active']

/** The state of an active job, by phase. */
export const PHASE_STATES: Readonly<Record<JobPhase, JobState>> = {
  queued: 'queued',
  preparing: 'active',
  editing: 'active',
  checking: 'active',
  publishing: 'active',
}

/** The status of a job that has ended, by outcome. */
export const OUTCOME_STATUSES: Readonly<Record<JobOutcome, Extract<JobStatus, 'completed' | 'failed'>>> = {
  changed: 'completed',
  no_changes: 'completed',
  needs_input: 'completed',
  failed: 'failed',
  cancelled: 'failed',
}

/**
 * The states of a job that has ended, first match first. An absent property matches every value. A
 * decision about the pull request is final, and a question or a failure is more urgent than a review.
 */
export const ENDED_STATES: readonly {
  readonly state: JobState
  readonly outcome?: JobOutcome
  readonly pullRequest?: PullRequestState
}[] = [
  { state: 'merged', pullRequest: 'merged' },
  { state: 'closed', pullRequest: 'closed' },
  { state: 'needs_input', outcome: 'needs_input' },
  { state: 'failed', outcome: 'failed' },
  { state: 'needs_review', pullRequest: 'open' },
  { state: 'no_changes', outcome: 'no_changes' },
  { state: 'cancelled', outcome: 'cancelled' },
]

/**
 * Returns the state of a job. This file does not import any schemas, because it is part of the
 * dashboard's initial load.
 * @throws Error for a job that the database does not allow, such as an ended one without an outcome
 */
export function toJobState(
  job: Pick<AgentJob, 'status' | 'phase' | 'outcome'> & {
    readonly pullRequest: { readonly state: PullRequestState } | null
  },
): JobState {
  const { status, phase, outcome, pullRequest } = job
  if (status === 'archived') return 'archived'
  if (status === 'active' && phase !== null) return PHASE_STATES[phase]
  const ended = ENDED_STATES.find(
    (one) =>
      (one.outcome ?? outcome) === outcome && (one.pullRequest === undefined || one.pullRequest === pullRequest?.state),
  )
  if (status !== 'active' && outcome !== null && ended) return ended.state
  throw new Error(`A job cannot have the status ${status}, the phase ${phase} and the outcome ${outcome}.`)
}
