import type { DeployTarget } from '@corrigenda/contracts'
import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import type { GitHostError } from '../git-host/git-host-error.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { dispatchRun } from './dispatch-run.ts'
import { CORRELATION_INPUT, takesCorrelation } from './takes-correlation.ts'

type WorkflowTarget = Extract<DeployTarget, { kind: 'workflow_dispatch' }>

/** Deploys with a workflow that users can also start manually (`on: workflow_dispatch`). */
export async function dispatchWorkflow(step: DeployCommitStep, target: WorkflowTarget): Promise<DeploymentOutcome> {
  const { deps, claim, commit, repository, signal } = step
  const { credentials } = deps
  const { workflow } = target
  const ref = target.ref ?? commit.ref
  const gitHost = await deps.openGitHost({ credentials, repository, access: 'deploy', signal })
  const { workflows } = gitHost
  try {
    return await dispatchRun(step, gitHost, {
      what: `the workflow ${workflow} on ${ref}`,
      async send() {
        const correlates = await takesCorrelation(workflows, { workflow, ref })
        const inputs = { ...target.inputs, ...(correlates ? { [CORRELATION_INPUT]: claim.statusId } : {}) }
        return workflows.start({ workflow, ref, inputs })
      },
      async listRuns() {
        const runs = await workflows.listRuns({ startedBy: { workflow } })
        return runs.filter((run) => run.headBranch === ref)
      },
      explain: (error) => explainRejection(error, repository.path, workflow, ref),
      unseen: {
        status: 'failure',
        summary: `The Git host does not list a run of the workflow ${workflow} on ${ref}. Check that GitHub Actions is enabled for the repository and that the credential has actions: write.`,
      },
    })
  } finally {
    gitHost.close()
  }
}

function explainRejection(error: GitHostError, repository: string, workflow: string, ref: string): string {
  switch (error.code) {
    case 'forbidden':
      return `The credential cannot start workflows in ${repository}. Grant it actions: write.`
    case 'not_found':
      return `${repository} has no workflow ${workflow} on its default branch, or the credential has no access to it. Correct the deploy target, or grant actions: write.`
    case 'validation':
      return `${error.message} The workflow ${workflow} needs a workflow_dispatch trigger on ${ref} that declares the deploy target's inputs, and the credential needs actions: write.`
    default:
      return error.message
  }
}
