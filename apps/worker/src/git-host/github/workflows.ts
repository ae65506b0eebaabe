import { z } from 'zod'
import type { WorkflowRun, Workflows } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { NO_CONTENT } from './build-api.ts'
import type { GitHubClient } from './open-client.ts'
import { readFile } from './repository.ts'

const START_PATH = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'
const PER_PAGE = 50
const MAY_READ = { needs: 'actions (read)' }
const MAY_START = { needs: 'actions (write)' }

const Run = z.object({
  id: z.number().int(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  display_title: z.string().default(''),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  html_url: z.string(),
})
const RUN = { named: 'a workflow run', schema: Run }
const RUNS = { named: 'a list of workflow runs', schema: z.object({ workflow_runs: z.array(Run) }) }
const WORKFLOW = { named: 'a workflow', schema: z.object({ path: z.string() }) }
/** Newer hosts return the run if a dispatch requests it. Older hosts return no body. */
const STARTED = {
  named: 'the start of a workflow',
  schema: z.union([z.object({ workflow_run_id: z.number().int() }), NO_CONTENT.schema]),
}

/** Builds the calls to GitHub Actions. */
export function buildWorkflows(client: GitHubClient): Workflows {
  return {
    async findFile({ workflow, ref, signal }) {
      const { path } = await client.call({
        what: 'read the workflow',
        subject: `the workflow ${workflow}`,
        ...MAY_READ,
        answer: WORKFLOW,
        run: (octokit, request) => octokit.rest.actions.getWorkflow({ ...client.name, workflow_id: workflow, request }),
        signal,
      })
      return readFile(client, { path, ref, signal })
    },

    async start({ workflow, ref, inputs, signal }) {
      const dispatch = { ...client.name, workflow_id: workflow, ref, inputs }
      const post = async (details: { return_run_details?: boolean }) => {
        const started = await client.call({
          what: 'start the workflow',
          subject: `the workflow ${workflow}`,
          ...MAY_START,
          answer: STARTED,
          run: (octokit, request) => octokit.request(START_PATH, { ...dispatch, ...details, request }),
          retries: 0,
          signal,
        })
        return started?.workflow_run_id ?? null
      }
      try {
        return await post({ return_run_details: true })
      } catch (error) {
        // A host that does not support the field rejects the whole request, so no run was started.
        const isUnknownField =
          error instanceof GitHostError && error.code === 'validation' && /run_details/.test(error.message)
        if (!isUnknownField) throw error
        return await post({})
      }
    },

    async sendEvent({ type, payload, signal }) {
      const event = { event_type: type, client_payload: { ...payload } }
      await client.call({
        what: 'send the event',
        needs: 'contents (write)',
        answer: NO_CONTENT,
        run: (octokit, request) => octokit.rest.repos.createDispatchEvent({ ...client.name, ...event, request }),
        // A second event could start a second run.
        retries: 0,
        signal,
      })
    },

    async listRuns({ startedBy, signal }) {
      const page = { ...client.name, per_page: PER_PAGE }
      const { workflow_runs: runs } = await client.call({
        what: 'list the workflow runs',
        ...(startedBy === 'event' ? {} : { subject: `the workflow ${startedBy.workflow}` }),
        ...MAY_READ,
        answer: RUNS,
        run: (octokit, request) =>
          startedBy === 'event'
            ? octokit.rest.actions.listWorkflowRunsForRepo({ ...page, event: 'repository_dispatch', request })
            : octokit.rest.actions.listWorkflowRuns({
                ...page,
                workflow_id: startedBy.workflow,
                event: 'workflow_dispatch',
                request,
              }),
        signal,
      })
      return runs.map(toWorkflowRun)
    },

    async getRun({ id, signal }) {
      const run = await client.call({
        what: 'follow the workflow run',
        subject: `the workflow run ${id}`,
        ...MAY_READ,
        answer: RUN,
        run: (octokit, request) => octokit.rest.actions.getWorkflowRun({ ...client.name, run_id: id, request }),
        signal,
      })
      return toWorkflowRun(run)
    },
  }
}

function toWorkflowRun(run: z.infer<typeof Run>): WorkflowRun {
  return {
    id: run.id,
    headBranch: run.head_branch,
    headSha: run.head_sha,
    title: run.display_title,
    status: run.status,
    conclusion: run.conclusion,
    url: run.html_url,
  }
}
