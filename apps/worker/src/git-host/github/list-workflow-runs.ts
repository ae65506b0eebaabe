import type { CallOptions } from '../call-options.ts'
import type { WorkflowRun } from '../workflows.ts'
import type { GitHubClient } from './open-client.ts'
import { toWorkflowRun } from './to-workflow-run.ts'

const PER_PAGE = 50

export async function listWorkflowRuns(
  client: GitHubClient,
  { startedBy, signal }: { startedBy: { workflow: string } | 'event' } & CallOptions,
): Promise<WorkflowRun[]> {
  const page = { ...client.name, per_page: PER_PAGE }
  const { workflow_runs: runs } = await client.call(
    'list the workflow runs',
    (octokit, request) =>
      startedBy === 'event'
        ? octokit.rest.actions.listWorkflowRunsForRepo({ ...page, event: 'repository_dispatch', request })
        : octokit.rest.actions.listWorkflowRuns({
            ...page,
            workflow_id: startedBy.workflow,
            event: 'workflow_dispatch',
            request,
          }),
    { signal },
  )
  return runs.map(toWorkflowRun)
}
