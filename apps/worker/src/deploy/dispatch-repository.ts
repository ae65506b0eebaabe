import type { DeployTarget } from '@corrigenda/contracts'
import type { DeploymentOutcome } from '@corrigenda/core'
import { CredentialsError } from '../github/credentials.ts'
import type { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import type { DeployCommitStep } from './deploy-step.ts'
import { dispatchRun } from './dispatch-run.ts'
import { toWorkflowRun } from './workflow-run.ts'

type RepositoryTarget = Extract<DeployTarget, { kind: 'repository_dispatch' }>

/**
 * Deploys by an event of the repository that workflows or other listeners act on. The deployment is told in `client_payload.corrigenda`. Where the event
 * starts no workflow that can be seen, the event itself is all that can be promised. Of several workflows the first one is followed.
 */
export async function dispatchRepository(step: DeployCommitStep, target: RepositoryTarget): Promise<DeploymentOutcome> {
  const { claim, commit, repository } = step
  const { owner, name: repo } = repository
  const { eventType } = target
  const { statusId, jobId } = claim
  const github = await openWithBestAccess(step)
  try {
    return await dispatchRun(step, github, {
      what: `what listens to the event ${eventType}`,
      async send() {
        const corrigenda = { statusId, sha: commit.sha, ref: commit.ref, jobId }
        await github.call(
          'send the event',
          (octokit, request) =>
            octokit.rest.repos.createDispatchEvent({
              owner,
              repo,
              event_type: eventType,
              client_payload: { ...target.clientPayload, corrigenda },
              request,
            }),
          // A second event could be a second run.
          { retries: 0 },
        )
        return null
      },
      async listRuns() {
        const { workflow_runs: runs } = await github.call('list the workflow runs', (octokit, request) =>
          octokit.rest.actions.listWorkflowRunsForRepo({
            owner,
            repo,
            event: 'repository_dispatch',
            per_page: 50,
            request,
          }),
        )
        // Runs of an event bear its name, unless the workflow names its runs itself.
        const all = runs.map(toWorkflowRun)
        const named = all.filter((run) => run.title === eventType || run.title.includes(statusId))
        return named.length > 0 ? named : all
      },
      explain: (error) => explainRefusal(error, `${owner}/${repo}`),
      unseen: {
        status: 'success',
        summary: `The Git host accepted the event ${eventType}, but no workflow run of it could be followed: how the deployment ended is not known here.`,
      },
    })
  } finally {
    github.close()
  }
}

/** Sending the event needs less than seeing what came of it: without the latter it is sent and not followed. */
async function openWithBestAccess({ deps, repository, signal }: DeployCommitStep): Promise<GitHub> {
  const settings = { ...deps.github, credentials: deps.credentials }
  return openGitHub(settings, { repository, access: 'deploy', signal }).catch((error: unknown) => {
    if (!(error instanceof CredentialsError) || error.code !== 'permission_missing') throw error
    return openGitHub(settings, { repository, access: 'publish', signal })
  })
}

function explainRefusal(error: GitHubError, repository: string): string {
  switch (error.code) {
    case 'forbidden':
      return `The credential may not send events to ${repository}. Grant it contents: write.`
    case 'not_found':
      return `${repository} cannot be found, or the credential may not send events to it. Grant it contents: write.`
    case 'validation':
      return `${error.message} Correct the deploy target; the credential needs contents: write.`
    default:
      return error.message
  }
}
