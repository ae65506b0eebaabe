import { JobRequest } from '@corrigenda/contracts'
import { archiveJob, cancelJob, createJob, retryJob, sendMessage } from '@corrigenda/core/jobs'
import { toJobKey } from '../jobs/job-requests.ts'
import { defineTool, id, idempotencyKey, JobOutput, type McpTool, type ToolCall } from './mcp-tool.ts'

const scope = 'jobs:write'
const output = JobOutput
const repeatable = { readOnlyHint: false, destructiveHint: false, idempotentHint: false }

/** Returns what the operations of core need to know about the call and its job. */
function toContext({ deps, principal, audit }: ToolCall, jobId: string | null = null) {
  const { projectId, keyId } = principal
  const key = jobId === null ? { projectId, id: '' } : toJobKey({ projectId, id: jobId })
  return { audited: { ...deps, audit }, key, createdBy: keyId }
}

/** The tools that create or change jobs. */
export const WRITE_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'create_job',
    title: 'Create a job',
    scope,
    output,
    description:
      'Request a change to the documentation in plain language. Returns the job immediately. The job opens a pull request in the background.',
    annotations: { ...repeatable, openWorldHint: true },
    input: { ...JobRequest.shape, idempotencyKey },
    run(call, { idempotencyKey: once = null, ...request }) {
      const { audited, key, createdBy } = toContext(call)
      const input = { projectId: key.projectId, request, idempotencyKey: once, createdBy }
      return call.deps.monitor.run(async () => (await createJob(audited, input)).job)
    },
  }),
  defineTool({
    name: 'send_message',
    title: 'Send a follow-up',
    scope,
    output,
    annotations: repeatable,
    description:
      'Send a follow-up message to a job: a correction, a further request, or the answer to its question. The job continues on the same branch and pull request.',
    input: { id, prompt: JobRequest.shape.prompt, idempotencyKey },
    run(call, { id, prompt, idempotencyKey: once = null }) {
      const { audited, key, createdBy } = toContext(call, id)
      const input = { ...key, request: { prompt }, idempotencyKey: once, createdBy }
      return call.deps.monitor.run(async () => (await sendMessage(audited, input)).job)
    },
  }),
  defineTool({
    name: 'cancel_job',
    title: 'Cancel a job',
    scope,
    output,
    description: 'End an active job. No pull request is opened afterwards.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input: { id },
    run(call, { id }) {
      const { audited, key } = toContext(call, id)
      return call.deps.monitor.run(() => cancelJob({ ...audited, onWait: call.onWait }, key))
    },
  }),
  defineTool({
    name: 'retry_job',
    title: 'Retry a job',
    scope,
    output,
    description: 'Create a new job with the same prompt and options as a job that has ended.',
    annotations: { ...repeatable, openWorldHint: true },
    input: { id, idempotencyKey },
    run(call, { id, idempotencyKey: once = null }) {
      const { audited, key, createdBy } = toContext(call, id)
      return call.deps.monitor.run(
        async () => (await retryJob(audited, { ...key, idempotencyKey: once, createdBy })).job,
      )
    },
  }),
  defineTool({
    name: 'archive_job',
    title: 'Archive a job',
    scope,
    output,
    description: 'Archive a job that has ended. It stays readable, but cannot continue until it is unarchived.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input: { id },
    run(call, { id }) {
      const { audited, key } = toContext(call, id)
      return call.deps.monitor.run(() => archiveJob(audited, key))
    },
  }),
]
