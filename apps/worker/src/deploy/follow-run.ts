import type { DeploymentOutcome } from '@corrigenda/core'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { isPassing, toWorkflowRun, type WorkflowRun, waitToPoll } from './workflow-run.ts'

/** Conclusions that count as deployed. A skipped run deployed nothing. */
const GOOD = new Set(['success', 'neutral'])

/** Asks for a run until it has ended. The host may be away meanwhile; the time limit of the deployment ends it. */
export async function followRun(step: DeployCommitStep, github: GitHub, runId: number): Promise<DeploymentOutcome> {
  const { deps, repository, note, signal } = step
  const { owner, name: repo } = repository
  let told: WorkflowRun['status'] = null
  for (let asked = 0; ; asked += 1) {
    const run = await github
      .call('follow the workflow run', (octokit, request) =>
        octokit.rest.actions.getWorkflowRun({ owner, repo, run_id: runId, request }),
      )
      .then(toWorkflowRun)
      .catch((error: unknown) => {
        if (isPassing(error)) return null
        if (!(error instanceof GitHubError) || error.code !== 'not_found') throw error
        return 'gone' as const
      })
    if (run === 'gone') return { status: 'failure', summary: `The workflow run ${runId} was deleted before it ended.` }
    if (run?.status === 'completed') {
      await note({ url: run.url })
      return toOutcome(run)
    }
    if (run && run.status !== told) {
      told = run.status
      await note({ line: `The workflow run is ${String(run.status).replaceAll('_', ' ')}.`, url: run.url })
    }
    await waitToPoll(deps.limits, asked, signal)
  }
}

function toOutcome({ conclusion, url }: WorkflowRun): DeploymentOutcome {
  const words = String(conclusion ?? 'unknown').replaceAll('_', ' ')
  if (GOOD.has(conclusion ?? '')) return { status: 'success', summary: `The workflow run ended with ${words}: ${url}` }
  return { status: 'failure', summary: `The workflow run ended with ${words}. Read its log: ${url}` }
}
