import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { WorkflowRun } from '../git-host/workflows.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { isPassing, waitToPoll } from './wait-to-poll.ts'

/** Conclusions that count as a successful deployment. A skipped run deployed nothing. */
const GOOD = new Set(['success', 'neutral'])

/**
 * Polls a run until it has completed. Keeps polling during host outages, up to the deployment's
 * time limit.
 */
export async function pollWorkflowRun(
  step: DeployCommitStep,
  gitHost: GitHost,
  runId: number,
): Promise<DeploymentOutcome> {
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
