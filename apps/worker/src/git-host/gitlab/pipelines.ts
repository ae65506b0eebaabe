import { z } from 'zod'
import type { ChecksState, GitHost, WorkflowRun } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { combineChecks } from '../rest/combine-checks.ts'
import type { GitLabProject } from './open-project.ts'
import { readFile } from './repository.ts'

const Statuses = z.array(z.object({ status: z.string(), allow_failure: z.boolean().optional() }))
const HeadPipeline = z.object({ iid: z.number(), head_pipeline: z.object({ status: z.string() }).nullish() })
const Pipeline = z.object({
  id: z.number(),
  ref: z.string().nullish(),
  sha: z.string(),
  status: z.string(),
  web_url: z.string(),
})

const STATES: Readonly<Record<string, ChecksState | null>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'failed',
  skipped: null,
}
const CONCLUSIONS: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
}

/** Builds the calls about pipelines: the checks of a commit, and deployments. */
export function buildPipelines(project: GitLabProject): Pick<GitHost, 'findChecks' | 'workflows'> {
  return {
    async findChecks({ commit, signal }) {
      try {
        const statuses = await listStatuses(project, commit, signal)
        const states = statuses.filter((one) => one.allow_failure !== true).map((one) => toState(one.status))
        return combineChecks(states) ?? (await findMergedResult(project, commit, signal))
      } catch (error) {
        const isHidden = error instanceof GitHostError && ['forbidden', 'not_found'].includes(error.code)
        if (isHidden) return null
        throw error
      }
    },

    // A project has one configuration, so the name of the workflow is the path of this file.
    workflows: {
      findFile: ({ workflow, ref, signal }) => readFile(project, { path: workflow, ref, signal }),

      async start({ ref, inputs, signal }) {
        const { id } = await project.call({
          what: 'start a pipeline',
          method: 'POST',
          path: '/pipeline',
          body: { ref, variables: Object.entries(inputs).map(([key, value]) => ({ key, value })) },
          schema: Pipeline,
          signal,
        })
        return id
      },

      sendEvent: async () => {
        throw new GitHostError('validation', 'GitLab has no repository events. Deploy with a pipeline instead.')
      },

      async listRuns({ startedBy, signal }) {
        if (startedBy === 'event') return []
        const query = { source: 'api', per_page: 50 }
        const schema = z.array(Pipeline)
        const runs = await project.call({ what: 'list the pipelines', path: '/pipelines', query, schema, signal })
        return runs.map(toRun)
      },

      getRun: async ({ id, signal }) =>
        toRun(
          await project.call({
            what: 'follow the pipeline',
            subject: `the pipeline ${id}`,
            path: `/pipelines/${id}`,
            schema: Pipeline,
            signal,
          }),
        ),
    },
  }
}

export function listStatuses(project: GitLabProject, commit: string, signal: AbortSignal | undefined) {
  const path = `/repository/commits/${commit}/statuses`
  return project.list({ what: 'read the pipelines', path, schema: Statuses, signal }, { pages: 3 })
}

const toState = (status: string): ChecksState | null => (status in STATES ? (STATES[status] ?? null) : 'pending')

/** A pipeline for merged results runs on another commit than the head of the merge request. */
async function findMergedResult(
  project: GitLabProject,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<ChecksState | null> {
  const [listed] = await project.call({
    what: 'find the merge request of a commit',
    path: `/repository/commits/${commit}/merge_requests`,
    query: { state: 'opened' },
    schema: z.array(z.object({ iid: z.number() })),
    signal,
  })
  if (listed === undefined) return null
  const { head_pipeline: pipeline } = await project.call({
    what: 'read the merge request',
    path: `/merge_requests/${listed.iid}`,
    schema: HeadPipeline,
    signal,
  })
  return pipeline ? toState(pipeline.status) : null
}

function toRun({ id, ref, sha, status, web_url: url }: z.infer<typeof Pipeline>): WorkflowRun {
  const conclusion = CONCLUSIONS[status] ?? null
  const progress = status === 'running' ? 'in_progress' : 'queued'
  return {
    id,
    headBranch: ref ?? null,
    headSha: sha,
    title: '',
    status: conclusion === null ? progress : 'completed',
    conclusion,
    url,
  }
}
