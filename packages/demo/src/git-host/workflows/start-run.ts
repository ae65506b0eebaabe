import { type Repository, toStableId } from '../host/host-state.ts'
import { DEFAULT_PLAN, type WorkflowRun } from '../host/workflow-run.ts'

/** Starts a run with the repository's plan. IDs are ascending, as on GitHub. */
export function startRun(
  { full, record }: Repository,
  run: Pick<WorkflowRun, 'path' | 'event' | 'title' | 'headBranch' | 'headSha' | 'inputs'>,
): WorkflowRun {
  record.workflowRuns ??= []
  const started: WorkflowRun = {
    ...run,
    id: toStableId(`${full} runs`) * 1000 + record.workflowRuns.length,
    at: new Date().toISOString(),
    plan: record.runPlan ?? DEFAULT_PLAN,
    asked: 0,
    listed: 0,
  }
  record.workflowRuns.push(started)
  return started
}
