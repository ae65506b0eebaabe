import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { WorkflowRun } from '../git-host/workflows.ts'
import { DeployFailure } from './deploy-failure.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { findRun } from './find-run.ts'
import { followRun } from './follow-run.ts'

/** One way to start a workflow. */
export interface Dispatch {
  /** Completes "Starting …". */
  readonly what: string
  /**
   * Asks the host to start it. Answers the run's id where the host says it.
   * @throws GitHostError
   */
  send(): Promise<number | null>
  /** Newest runs that could be of it. */
  listRuns(): Promise<readonly WorkflowRun[]>
  /** What to do about a refusal. */
  explain(error: GitHostError): string
  /** How it ends when the host took the dispatch and shows no run of it. */
  readonly unseen: DeploymentOutcome
}

/** A dispatch of which nothing was seen is sent again once: its worker may have died before it was sent. */
const MAX_TIMES = 2

/**
 * Starts a workflow and follows its run to the end. The dispatch is written down before it is sent, so a successor looks for its run first and never
 * starts a second one while the first can be seen.
 * @throws DeployFailure when the host refuses; GitHostError
 */
export async function dispatchRun(
  step: DeployCommitStep,
  gitHost: GitHost,
  dispatch: Dispatch,
): Promise<DeploymentOutcome> {
  const { claim, commit, note } = step
  if (claim.progress.runId !== null) return followRun(step, gitHost, claim.progress.runId)
  const look = { statusId: claim.statusId, sha: commit.sha }
  const find = (seenRuns: readonly number[]) =>
    findRun(
      { limits: step.deps.limits, signal: step.signal },
      { ...look, seenRuns, listRuns: () => dispatch.listRuns() },
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
      await note({ line: 'The Git host took it. Looking for the run.' })
      runId = (await find(seenRuns))?.id ?? null
    }
  }
  if (runId === null) return dispatch.unseen
  await note({
    line: `Following the workflow run ${runId}.`,
    progress: { ...claim.progress, dispatch: { seenRuns: [...(seenRuns ?? [])], times }, runId },
  })
  return followRun(step, gitHost, runId)
}

/** Null when the credential may not see runs: then the dispatch cannot be followed. */
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
    // Perhaps it was heard: whether there is a run will show.
    if (error.isOutcomeUnknown) return null
    throw new DeployFailure(dispatch.explain(error))
  }
}
