import type { DeployTarget } from '@corrigenda/contracts'
import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import { openWithBestAccess } from '../git-host/git-access.ts'
import type { GitHostError } from '../git-host/git-host-error.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { dispatchRun } from './dispatch-run.ts'

type RepositoryTarget = Extract<DeployTarget, { kind: 'repository_dispatch' }>

/**
 * Deploys by sending a repository event that triggers workflows or other listeners.
 * `client_payload.corrigenda` describes the deployment. If no workflow run appears, only the
 * event's delivery is certain. If the event starts more than one run, only the first is followed.
 */
export async function dispatchRepository(step: DeployCommitStep, target: RepositoryTarget): Promise<DeploymentOutcome> {
  const { deps, claim, commit, repository, signal } = step
  const { eventType } = target
  const { statusId, jobId, preview } = claim
  // If the runs of the event cannot be read, it is sent but not followed.
  using gitHost = await openWithBestAccess(deps, { repository, access: 'deploy', signal })
  return await dispatchRun(step, gitHost, {
    what: `the listeners of the event ${eventType}`,
    async send() {
      const corrigenda = { statusId, sha: commit.sha, ref: commit.ref, jobId, ...(preview && { preview }) }
      const payload = { ...target.clientPayload, corrigenda }
      await gitHost.workflows.sendEvent({ type: eventType, payload })
      return null
    },
    async listRuns() {
      const all = await gitHost.workflows.listRuns({ startedBy: 'event' })
      // Runs are titled with the event type unless the workflow sets `run-name`.
      const named = all.filter((run) => run.title === eventType || run.title.includes(statusId))
      return named.length > 0 ? named : all
    },
    explain: (error) => explainRejection(error, repository.path),
    unseen: {
      status: 'success',
      summary: `The Git host accepted the event ${eventType}, but none of its workflow runs could be followed. The outcome of the deployment is unknown.`,
    },
  })
}

function explainRejection(error: GitHostError, repository: string): string {
  switch (error.code) {
    case 'forbidden':
      return `The credential cannot send events to ${repository}. Grant it contents: write.`
    case 'not_found':
      return `${repository} does not exist, or the credential cannot send events to it. Grant it contents: write.`
    case 'validation':
      return `${error.message} Correct the deploy target. The credential needs contents: write.`
    default:
      return error.message
  }
}
