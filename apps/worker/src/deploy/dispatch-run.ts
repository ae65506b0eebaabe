import { setTimeout as sleep } from 'node:timers/promises'
import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import type { GitHost, WorkflowRun } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { type DeployCommitStep, DeployFailure, type DeployLimits } from './deploy-step.ts'

/** One way to start a workflow. */
interface Dispatch {
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
  const { claim, note } = step
  if (claim.progress.runId !== null) return pollWorkflowRun(step, gitHost, claim.progress.runId)
  const find = async (seenRuns: readonly number[]) => (await findRun(step, dispatch, seenRuns))?.id ?? null
  const before = claim.progress.dispatch
  const seenRuns = before?.seenRuns ?? (await listSeen(dispatch))
  let runId = before && seenRuns ? await find(seenRuns) : null
  const times = (before?.times ?? 0) + 1
  if (runId === null && times <= MAX_TIMES) {
    const sent = { seenRuns: [...(seenRuns ?? [])], times }
    await note({ line: `Starting ${dispatch.what}.`, progress: { ...claim.progress, dispatch: sent } })
    runId = await send(dispatch)
    if (runId === null && seenRuns) {
      await note({ line: 'The Git host accepted the request. Looking for the run.' })
      runId = await find(seenRuns)
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

/**
 * Finds the run that a dispatch started, within `findRunMs`. The host might not identify the run,
 * so only runs that did not exist before the dispatch are considered. Prefers a run with the
 * deployment id in its title, then a run for the commit, then the oldest run. Returns null if no
 * run appears.
 * @throws GitHostError when the host rejects the request to list runs
 */
async function findRun(
  { deps, claim, commit, signal }: DeployCommitStep,
  dispatch: Dispatch,
  seenRuns: readonly number[],
): Promise<WorkflowRun | null> {
  const until = performance.now() + deps.limits.findRunMs
  for (let asked = 0; ; asked += 1) {
    const runs = await dispatch.listRuns().catch((error: unknown) => {
      if (!isPassing(error)) throw error
      return []
    })
    const found = pickRun(runs, { seenRuns, statusId: claim.statusId, sha: commit.sha })
    if (found) return found
    if (performance.now() >= until) return null
    await waitToPoll(deps.limits, asked, signal)
  }
}

export function pickRun(
  runs: readonly WorkflowRun[],
  { seenRuns, statusId, sha }: { seenRuns: readonly number[]; statusId: string; sha: string },
): WorkflowRun | null {
  const fresh = runs.filter((run) => !seenRuns.includes(run.id)).sort((a, b) => a.id - b.id)
  return (
    fresh.find((run) => run.title.includes(statusId)) ?? fresh.find((run) => run.headSha === sha) ?? fresh[0] ?? null
  )
}

/** Conclusions that count as a successful deployment. A skipped run deployed nothing. */
const GOOD = new Set(['success', 'neutral'])

/**
 * Polls a run until it has completed. Keeps polling during host outages, up to the deployment's
 * time limit.
 */
async function pollWorkflowRun(step: DeployCommitStep, gitHost: GitHost, runId: number): Promise<DeploymentOutcome> {
  const { deps, note, signal } = step
  let reported: WorkflowRun['status'] = null
  for (let asked = 0; ; asked += 1) {
    const run = await gitHost.workflows.getRun({ id: runId }).catch((error: unknown) => {
      if (isPassing(error)) return null
      if (!(error instanceof GitHostError) || error.code !== 'not_found') throw error
      return 'gone' as const
    })
    if (run === 'gone') return { status: 'failure', summary: `The workflow run ${runId} was deleted before it ended.` }
    if (run?.status === 'completed') {
      await note({ url: run.url })
      return toOutcome(run)
    }
    if (run && run.status !== reported) {
      reported = run.status
      await note({ line: `The workflow run is ${String(run.status).replaceAll('_', ' ')}.`, url: run.url })
    }
    await waitToPoll(deps.limits, asked, signal)
  }
}

function toOutcome({ conclusion, url }: WorkflowRun): DeploymentOutcome {
  const words = String(conclusion ?? 'unknown').replaceAll('_', ' ')
  if (GOOD.has(conclusion ?? ''))
    return { status: 'success', summary: `The workflow run concluded with ${words}: ${url}` }
  return { status: 'failure', summary: `The workflow run concluded with ${words}. Read its log: ${url}` }
}

/**
 * Returns true if a retry may help because the host is unavailable, slow or rate limiting the
 * client.
 */
function isPassing(error: unknown): boolean {
  return error instanceof GitHostError && (error.isOutcomeUnknown || error.code === 'rate_limited')
}

/** Sleeps between two polls, with linear backoff up to `maxPollMs`. */
async function waitToPoll(limits: DeployLimits, asked: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(limits.maxPollMs, limits.pollMs * (1 + asked * 0.4)), undefined, { signal })
}
