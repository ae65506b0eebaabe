import type { Workflows } from '../workflows.ts'
import { findWorkflowFile } from './find-workflow-file.ts'
import { listWorkflowRuns } from './list-workflow-runs.ts'
import type { GitHubClient } from './open-client.ts'
import { startWorkflow } from './start-workflow.ts'
import { toWorkflowRun } from './to-workflow-run.ts'

/** Builds the calls to GitHub Actions. */
export function buildWorkflows(client: GitHubClient): Workflows {
  return {
    findFile: (input) => findWorkflowFile(client, input),
    start: (input) => startWorkflow(client, input),
    async sendEvent({ type, payload, signal }) {
      const event = { event_type: type, client_payload: { ...payload } }
      await client.call(
        'send the event',
        (octokit, request) => octokit.rest.repos.createDispatchEvent({ ...client.name, ...event, request }),
        // A second event could start a second run.
        { signal, retries: 0 },
      )
    },
    listRuns: (input) => listWorkflowRuns(client, input),
    async getRun({ id, signal }) {
      const run = await client.call(
        'follow the workflow run',
        (octokit, request) => octokit.rest.actions.getWorkflowRun({ ...client.name, run_id: id, request }),
        { signal },
      )
      return toWorkflowRun(run)
    },
  }
}
