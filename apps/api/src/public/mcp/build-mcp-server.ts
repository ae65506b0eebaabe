import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentJob, JobOutcome, JobRequest, JobStatus, type KeyScope } from '@corrigenda/contracts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import { cancelJob, createJob, getChanges, getJob, listJobs, sendMessage } from '@corrigenda/core/jobs'
import type { Principal } from '@corrigenda/core/keys'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'
import { logFailure, toRefusal } from '../../http/errors.ts'
import { toTrueRefusal } from '../../http/unknown-outcome.ts'
import { IdempotencyKey } from '../jobs/find-idempotency-key.ts'
import { toJobKey } from '../jobs/job-params.ts'

/** Clients and proxies time out after about a minute. */
const MAX_WAIT_SECONDS = 50
const POLL_MS = 500
const ADVICE = 'Repeat the call with the same idempotencyKey. If it had none, check with list_jobs first.'
/** Maximum length of a diff that is returned to the model. The rest is in the pull request. */
const MAX_PATCH = 60_000

const id = z.string().describe('Job id, such as job_01kgs3v2n8q4r6t8w0y2a4c6e8')
const shape = JobRequest.shape
const idempotencyKey = IdempotencyKey.optional().describe(
  'A unique text for this request. If the call fails or times out, repeat it with the same text, so that it does not take effect twice.',
)

/** Runs one database operation in a turn of the caller. */
export type RunInTurn = <T>(work: () => Promise<T>, kind?: 'search') => Promise<T>

/** The caller of a request and the operations that its tools may use. */
export interface McpCaller {
  readonly principal: Principal
  readonly audit: AuditContext
  readonly version: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Runs one database operation. */
  readonly run: RunInTurn
  /** Called before a call waits for a job. */
  readonly onWait: () => void
}

/**
 * Builds the MCP server with the tools for a project, limited to the permissions of the request's
 * key. Each request has a separate, stateless server.
 */
export function buildMcpServer(deps: ApiDeps, input: McpCaller): McpServer {
  const { principal, audit } = input
  const audited = { ...deps, audit }
  const { projectId } = principal
  const key = (jobId: string) => toJobKey({ projectId, id: jobId })
  const server = new McpServer(
    { name: 'corrigenda', title: 'Corrigenda', version: input.version },
    {
      instructions:
        'Corrigenda edits the documentation repository of one project. Create a job with a sentence that describes the change, wait for the job, then show the link to its pull request. A job with the outcome needs_input asks a question in `summary`. Answer it with send_message.',
    },
  )
  const ask = (scope: KeyScope, work: () => Promise<object>) => toToolResult(deps, principal, scope, work)
  const run = (scope: KeyScope, work: () => Promise<object>, kind?: 'search') => ask(scope, () => input.run(work, kind))

  server.registerTool(
    'create_job',
    {
      title: 'Create a job',
      description:
        'Request a change to the documentation in plain language. Returns the job immediately. The job opens a pull request in the background.',
      inputSchema: { ...shape, idempotencyKey },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ idempotencyKey: once = null, ...request }) =>
      run('jobs:write', async () => {
        const input = { projectId, request, idempotencyKey: once, createdBy: principal.keyId }
        return JSON.parse((await createJob(audited, input)).body)
      }),
  )
  server.registerTool(
    'wait_for_job',
    {
      title: 'Wait for a job',
      description: `Wait until a job has ended, for up to ${MAX_WAIT_SECONDS} seconds, and return it. If \`status\` is still active, call this tool again.`,
      inputSchema: { id, seconds: z.number().int().min(1).max(MAX_WAIT_SECONDS).default(MAX_WAIT_SECONDS) },
      annotations: { readOnlyHint: true },
    },
    ({ id: jobId, seconds }) => ask('jobs:read', () => waitForJob(deps, { ...key(jobId), seconds, ...input })),
  )
  server.registerTool(
    'get_job',
    {
      title: 'Read a job',
      description: "Read a job's status, outcome, summary, pull request, checks and cost.",
      inputSchema: { id },
      annotations: { readOnlyHint: true },
    },
    ({ id: jobId }) => run('jobs:read', () => getJob(deps, key(jobId))),
  )
  server.registerTool(
    'get_changes',
    {
      title: "Read a job's changes",
      description: 'List the files that a job changed, with a unified diff.',
      inputSchema: { id },
      annotations: { readOnlyHint: true },
    },
    ({ id: jobId }) =>
      run('jobs:read', async () => {
        const { files, patch, ...commits } = await getChanges(deps, key(jobId))
        const list = files.map(({ path, status, additions, deletions }) => ({ path, status, additions, deletions }))
        return { ...commits, files: list, patch: patch.slice(0, MAX_PATCH), patchIsCut: patch.length > MAX_PATCH }
      }),
  )
  server.registerTool(
    'list_jobs',
    {
      title: 'List jobs',
      description: "List the project's jobs, newest first.",
      inputSchema: {
        status: JobStatus.optional(),
        outcome: JobOutcome.optional(),
        q: z.string().min(1).max(200).optional().describe('Text to find in prompts, titles and summaries'),
        limit: z.number().int().min(1).max(50).default(10),
        cursor: z.string().max(200).optional(),
      },
      annotations: { readOnlyHint: true },
    },
    (query) => run('jobs:read', () => listJobs(deps, { projectId, ...query }), query.q ? 'search' : undefined),
  )
  server.registerTool(
    'send_message',
    {
      title: 'Send a follow-up',
      description:
        'Send a follow-up message to a job: a correction, a further request, or the answer to its question. The job continues on the same branch and pull request.',
      inputSchema: { id, prompt: shape.prompt, idempotencyKey },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ id: jobId, prompt, idempotencyKey: once = null }) =>
      run('jobs:write', async () =>
        JSON.parse(
          (
            await sendMessage(audited, {
              ...key(jobId),
              request: { prompt },
              idempotencyKey: once,
              createdBy: principal.keyId,
            })
          ).body,
        ),
      ),
  )
  server.registerTool(
    'cancel_job',
    {
      title: 'Cancel a job',
      description: 'End an active job. No pull request is opened afterwards.',
      inputSchema: { id },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ id: jobId }) => run('jobs:write', () => cancelJob({ ...audited, onWait: input.onWait }, key(jobId))),
  )
  return server
}

/**
 * Runs a tool and returns its result. Errors that the caller can fix become tool results, so that
 * the model receives them. All other errors become protocol errors.
 */
async function toToolResult(
  deps: Pick<ApiDeps, 'log'>,
  principal: Principal,
  scope: KeyScope,
  work: () => Promise<object>,
): Promise<CallToolResult> {
  try {
    if (!principal.scopes.includes(scope)) {
      throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Create a key with this scope.`)
    }
    return { content: [{ type: 'text', text: JSON.stringify(await work(), null, 1) }] }
  } catch (error) {
    const mayChange = scope !== 'jobs:read'
    const refusal = toTrueRefusal(toRefusal(error), error, { mayChange, isAtomic: false, advice: ADVICE })
    if (refusal.status >= 500) logFailure(deps.log, refusal, error)
    return { isError: true, content: [{ type: 'text', text: `${refusal.message} (${refusal.code})` }] }
  }
}

/** Calls that wait, by project, because each of them reads the job repeatedly. */
const waits = new Map<string, number>()
const MAX_WAITS = 20

/**
 * Polls the job with a separate database read each time, because the wait can exceed the time limit
 * for one read.
 */
async function waitForJob(
  deps: ApiDeps,
  input: { projectId: string; id: string; seconds: number; signal: AbortSignal; run: RunInTurn; onWait: () => void },
): Promise<AgentJob> {
  const deadline = Date.now() + input.seconds * 1000
  const waiting = waits.get(input.projectId) ?? 0
  if (waiting >= MAX_WAITS) {
    throw new AppError('too_many_streams', `At most ${MAX_WAITS} calls of a project can wait at the same time.`, 30)
  }
  input.onWait()
  waits.set(input.projectId, waiting + 1)
  try {
    for (;;) {
      const job = await input.run(() => getJob(deps, input))
      if (job.status !== 'active' || Date.now() >= deadline || input.signal.aborted) return job
      await sleep(POLL_MS)
    }
  } finally {
    const left = (waits.get(input.projectId) ?? 1) - 1
    if (left > 0) waits.set(input.projectId, left)
    else waits.delete(input.projectId)
  }
}
