import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { WorkflowRun } from '../git-host/workflows.ts'
import { DeployFailure } from './deploy-failure.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { findRun } from './find-run.ts'
import { pollWorkflowRun } from './poll-workflow-run.ts'

/** One way to start a workflow. */
export interface Dispatch {
  /** Completes the log line "Starting …". */
  readonly what: string
  /**
   * Asks the host to start the workflow. Returns the run's id if the host provides it.
   * @throws GitHostError
   */
  send(): Promise<number | null>
  /** Returns the newest runs that the dispatch may have started. */
  listRuns(): Promise<readonly WorkflowRun[]>
  /** Returns the message for a rejected dispatch. */
  explain(error: GitHostError): string
  /** Outcome if the host accepts the dispatch but does not list its run. */
  readonly unseen: DeploymentOutcome
}

/**
 * Maximum number of dispatches. If a recorded dispatch has no visible run, it is sent once more,
 * because the previous worker may have crashed before sending it.
 */
const MAX_TIMES = 2

/**
 * Starts a workflow and follows its run to completion. The dispatch is recorded before it is sent,
 * so a worker that takes over first looks for the run and sends another dispatch only if it finds
 * none.
 * @throws DeployFailure when the host rejects the dispatch; GitHostError
 */
export async function dispatchRun(
  step: DeployCommitStep,
  gitHost: GitHost,
  dispatch: Dispatch,
): Promise<DeploymentOutcome> {
  const { claim, commit, note } = step
  if (claim.progress.runId !== null) return pollWorkflowRun(step, gitHost, claim.progress.runId)
  const criteria = { statusId: claim.statusId, sha: commit.sha }
  const find = (seenRuns: readonly number[]) =>
    findRun(
      { limits: step.deps.limits, signal: step.signal },
      { ...criteria, seenRuns, listRuns: () => dispatch.listRuns() },
    )

  const before = claim.progress.dispatch
  const seenRuns = before?.seenRuns ?? (await listSeen(dispatch))
  let runId = before && seenRuns ? ((await find(seenRuns))?.id ?? null) : null
  const times = (before?.times ?? 0) + 1
  if (runId === null && times <= MAX_TIMES) {
    const sent = { seenRuns: [...(seenRuns ?? [])], times }
    await note({ line: `Starting ${dispatch.what}.`, progress: { ...claim.progress, dispatch: sent } })
    runId = await send(dispatch)
    if (runId === null && seenRuns) {
      await note({ line: 'The Git host accepted the request. Looking for the run.' })
      runId = (await find(seenRuns))?.id ?? null
    }
  }
  if (runId === null) return dispatch.unseen
  await note({
    line: `Following the workflow run ${runId}.`,
    progress: { ...claim.progress, dispatch: { seenRuns: [...(seenRuns ?? [])], times }, runId },
  })
  return pollWorkflowRun(step, gitHost, runId)
}

/**
 * Returns the ids of visible runs. Returns null if the credential cannot read runs, in which case
 * the dispatch cannot be followed.
 */
async function listSeen(dispatch: Dispatch): Promise<readonly number[] | null> {
  try {
    return (await dispatch.listRuns()).map((run) => run.id)
  } catch (error) {
    if (error instanceof GitHostError && (error.code === 'forbidden' || error.code === 'not_found')) return null
    throw error
  }
}

async function send(dispatch: Dispatch): Promise<number | null> {
  try {
    return await dispatch.send()
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code === 'aborted') throw error
    // The host may have received the request. The run list shows whether it did.
    if (error.isOutcomeUnknown) return null
    throw new DeployFailure(dispatch.explain(error))
  }
}
