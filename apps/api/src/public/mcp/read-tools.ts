import { FileChange, JobChanges, JobOutcome, JobStatus } from '@corrigenda/contracts'
import { getChanges, getJob, listJobs } from '@corrigenda/core/jobs'
import { z } from 'zod'
import { toJobKey } from '../jobs/job-requests.ts'
import { defineTool, id, JobOutput, type McpTool } from './mcp-tool.ts'
import { MAX_WAIT_SECONDS, waitForJob } from './wait-for-job.ts'

/** Maximum length of a diff that is returned to the model. The rest is in the pull request. */
const MAX_PATCH = 60_000

const annotations = { readOnlyHint: true }
const scope = 'jobs:read'

/** The tools that change nothing. */
export const READ_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'wait_for_job',
    title: 'Wait for a job',
    scope,
    annotations,
    description: `Wait until a job has ended, for up to ${MAX_WAIT_SECONDS} seconds, and return it. If \`status\` is still active, call this tool again.`,
    input: { id, seconds: z.number().int().min(1).max(MAX_WAIT_SECONDS).default(MAX_WAIT_SECONDS) },
    output: JobOutput,
    run: (call, { id, seconds }) =>
      waitForJob(call, { id: toJobKey({ projectId: call.principal.projectId, id }).id, seconds }),
  }),
  defineTool({
    name: 'get_job',
    title: 'Read a job',
    scope,
    annotations,
    description: "Read a job's status, outcome, summary, pull request, checks and cost.",
    input: { id },
    output: JobOutput,
    run: ({ deps, principal }, { id }) => {
      const key = toJobKey({ projectId: principal.projectId, id })
      return deps.monitor.run(() => getJob(deps, key))
    },
  }),
  defineTool({
    name: 'get_changes',
    title: "Read a job's changes",
    scope,
    annotations,
    description: 'List the files that a job changed, with a unified diff.',
    input: { id },
    output: JobChanges.extend({
      files: z.array(
        FileChange.pick({ path: true, previousPath: true, status: true, additions: true, deletions: true }),
      ),
      patchIsCut: z.boolean().describe(`True if only the first ${MAX_PATCH} characters of the patch are included.`),
    }),
    async run({ deps, principal }, { id }) {
      const key = toJobKey({ projectId: principal.projectId, id })
      const { files, patch, ...rest } = await deps.monitor.run(() => getChanges(deps, key))
      const list = files.map(({ patch: _patch, omitted: _omitted, ...file }) => file)
      return { ...rest, files: list, patch: patch.slice(0, MAX_PATCH), patchIsCut: patch.length > MAX_PATCH }
    },
  }),
  defineTool({
    name: 'list_jobs',
    title: 'List jobs',
    scope,
    annotations,
    description: "List the project's jobs, newest first.",
    input: {
      status: JobStatus.optional(),
      outcome: JobOutcome.optional(),
      q: z.string().min(1).max(200).optional().describe('Text to find in prompts, titles and summaries'),
      limit: z.number().int().min(1).max(50).default(10),
      cursor: z.string().max(200).optional(),
    },
    output: z.object({ jobs: z.array(JobOutput), nextCursor: z.string().nullable() }),
    run: ({ deps, principal: { projectId } }, query) => deps.monitor.run(() => listJobs(deps, { projectId, ...query })),
  }),
]
