import type { DeployTarget } from '@corrigenda/contracts'
import type { DeploymentOutcome } from '@corrigenda/core'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { dispatchRun } from './dispatch-run.ts'
import { CORRELATION_INPUT, takesCorrelation } from './takes-correlation.ts'
import { toWorkflowRun } from './workflow-run.ts'

type WorkflowTarget = Extract<DeployTarget, { kind: 'workflow_dispatch' }>

/** What newer hosts answer to a dispatch that asks for it; older ones answer nothing. */
const Started = z.object({ workflow_run_id: z.number().int() })

/** Deploys with a workflow that people could also start by hand (`on: workflow_dispatch`). */
export async function dispatchWorkflow(step: DeployCommitStep, target: WorkflowTarget): Promise<DeploymentOutcome> {
  const { deps, claim, commit, repository, signal } = step
  const { owner, name: repo } = repository
  const { workflow } = target
  const ref = target.ref ?? commit.ref
  const github = await openGitHub(
    { ...deps.github, credentials: deps.credentials },
    { repository, access: 'deploy', signal },
  )
  try {
    return await dispatchRun(step, github, {
      what: `the workflow ${workflow} on ${ref}`,
      async send() {
        const correlates = await takesCorrelation(github, { workflow, ref })
        const inputs = { ...target.inputs, ...(correlates ? { [CORRELATION_INPUT]: claim.statusId } : {}) }
        return sendDispatch(github, { owner, repo, workflow_id: workflow, ref, inputs })
      },
      async listRuns() {
        const { workflow_runs: runs } = await github.call('list the workflow runs', (octokit, request) =>
          octokit.rest.actions.listWorkflowRuns({
            owner,
            repo,
            workflow_id: workflow,
            event: 'workflow_dispatch',
            per_page: 50,
            request,
          }),
        )
        return runs.map(toWorkflowRun).filter((run) => run.headBranch === ref)
      },
      explain: (error) => explainRefusal(error, `${owner}/${repo}`, workflow, ref),
      unseen: {
        status: 'failure',
        summary: `The Git host shows no run of the workflow ${workflow} on ${ref}. See whether GitHub Actions is enabled for the repository and the credential has actions: write.`,
      },
    })
  } finally {
    github.close()
  }
}

interface DispatchRequest {
  readonly owner: string
  readonly repo: string
  readonly workflow_id: string
  readonly ref: string
  readonly inputs: Record<string, string>
}

/** Not repeated by the client: a second dispatch would be a second run. Answers the run's id where the host says it. */
async function sendDispatch(github: GitHub, dispatch: DispatchRequest): Promise<number | null> {
  const path = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'
  const post = async (details: { return_run_details?: boolean }) => {
    const run = async (octokit: Octokit, request: object): Promise<{ data: unknown }> =>
      octokit.request(path, { ...dispatch, ...details, request })
    return Started.safeParse(await github.call('start the workflow', run, { retries: 0 })).data?.workflow_run_id ?? null
  }
  try {
    return await post({ return_run_details: true })
  } catch (error) {
    // A host that does not know the field refuses the whole request: nothing was started.
    const isUnknownField =
      error instanceof GitHubError && error.code === 'validation' && /run_details/.test(error.message)
    if (!isUnknownField) throw error
    return await post({})
  }
}

function explainRefusal(error: GitHubError, repository: string, workflow: string, ref: string): string {
  switch (error.code) {
    case 'forbidden':
      return `The credential may not start workflows of ${repository}. Grant it actions: write.`
    case 'not_found':
      return `${repository} has no workflow ${workflow} on its default branch, or the credential may not see it. Correct the deploy target, or grant actions: write.`
    case 'validation':
      return `${error.message} The workflow ${workflow} needs a workflow_dispatch trigger with these inputs on ${ref}, and the credential actions: write.`
    default:
      return error.message
  }
}
