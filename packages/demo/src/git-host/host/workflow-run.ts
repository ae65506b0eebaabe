/** A workflow run as the host keeps it. */
export interface WorkflowRun {
  readonly id: number
  /** `.github/workflows/<file>` */
  readonly path: string
  readonly event: 'workflow_dispatch' | 'repository_dispatch'
  readonly title: string
  readonly headBranch: string
  readonly headSha: string
  readonly inputs: Readonly<Record<string, string>>
  readonly at: string
  plan: RunPlan
  /** Times that somebody asked for this run; it goes on as they ask. */
  asked: number
  /** Times that a list was read since the run began. */
  listed: number
}

export type Conclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required'
  | 'startup_failure'

/** How runs that start from now on go. */
export interface RunPlan {
  /** Questions after which a run has ended: it is queued at the first, in progress afterwards. Default 2. */
  readonly endsAfter: number
  readonly conclusion: Conclusion
  /** Lists in which it does not appear yet, as on a busy host. Default 0. */
  readonly unlistedFor: number
}

export const DEFAULT_PLAN: RunPlan = { endsAfter: 2, conclusion: 'success', unlistedFor: 0 }

export function toRunState(run: WorkflowRun): { status: string; conclusion: string | null } {
  if (run.asked > run.plan.endsAfter) return { status: 'completed', conclusion: run.plan.conclusion }
  return { status: run.asked > 1 ? 'in_progress' : 'queued', conclusion: null }
}
