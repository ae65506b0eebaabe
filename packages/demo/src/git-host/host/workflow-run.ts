/** A workflow run in the host's state. */
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
  /** Number of polls of this run. The run advances with each poll. */
  asked: number
  /** Number of list requests since the run started. */
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

/** The simulated progress and result of a workflow run. */
export interface RunPlan {
  /**
   * Number of polls before the run completes. The run is queued at the first poll and in progress at
   * the others. Default: 2.
   */
  readonly endsAfter: number
  readonly conclusion: Conclusion
  /** Number of list responses that omit a new run, as on a busy host. Default: 0. */
  readonly unlistedFor: number
}

export const DEFAULT_PLAN: RunPlan = { endsAfter: 2, conclusion: 'success', unlistedFor: 0 }

export function toRunState(run: WorkflowRun): { status: string; conclusion: string | null } {
  if (run.asked > run.plan.endsAfter) return { status: 'completed', conclusion: run.plan.conclusion }
  return { status: run.asked > 1 ? 'in_progress' : 'queued', conclusion: null }
}
