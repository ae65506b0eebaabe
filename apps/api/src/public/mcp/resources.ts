import { AppError } from '@corrigenda/core/base'
import { getChanges, getJob, listJobs } from '@corrigenda/core/jobs'
import {
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js'
import type { ApiDeps } from '../../http/deps.ts'
import { logFailure, toRefusal } from '../../http/errors.ts'
import { toJobKey } from '../jobs/job-requests.ts'
import { assertScope, type McpCaller } from './mcp-tool.ts'

/** Number of jobs in a page of resources. */
const LISTED = 50
/** Error codes of the protocol. */
const NOT_FOUND = -32002
const INVALID_PARAMS = -32602
const INTERNAL = -32603

const JSON_TYPE = 'application/json'
const DIFF_TYPE = 'text/x-diff'

export const RESOURCE_TEMPLATES: ResourceTemplate[] = [
  {
    uriTemplate: 'corrigenda://jobs/{id}',
    name: 'job',
    title: 'Job record',
    mimeType: JSON_TYPE,
    description: 'Status, outcome, summary, pull request, checks and cost of a job.',
  },
  {
    uriTemplate: 'corrigenda://jobs/{id}/changes',
    name: 'changes',
    title: 'Changes',
    mimeType: DIFF_TYPE,
    description: 'The changes of a job as a unified diff.',
  },
]

/** Lists the project's jobs, newest first. */
export function listResources(deps: ApiDeps, caller: McpCaller, cursor?: string): Promise<ListResourcesResult> {
  return answer(deps, caller, async () => {
    const query = { projectId: caller.principal.projectId, limit: LISTED, ...(cursor !== undefined && { cursor }) }
    const { jobs, nextCursor } = await deps.monitor.run(() => listJobs(deps, query))
    return {
      resources: jobs.map(({ id, title, status, outcome }) => ({
        uri: `corrigenda://jobs/${id}`,
        name: id,
        title: title ?? id,
        mimeType: JSON_TYPE,
        description: outcome ?? status,
      })),
      ...(nextCursor !== null && { nextCursor }),
    }
  })
}

/** Reads a job record or its changes. */
export function readResource(deps: ApiDeps, caller: McpCaller, uri: string): Promise<ReadResourceResult> {
  return answer(deps, caller, async () => {
    const [, id, changes] = /^corrigenda:\/\/jobs\/([^/]+)(\/changes)?$/.exec(uri) ?? []
    if (id === undefined) throw new AppError('not_found', 'Not found.')
    const key = toJobKey({ projectId: caller.principal.projectId, id })
    const content =
      changes === undefined
        ? { mimeType: JSON_TYPE, text: JSON.stringify(await deps.monitor.run(() => getJob(deps, key)), null, 1) }
        : { mimeType: DIFF_TYPE, text: (await deps.monitor.run(() => getChanges(deps, key))).patch }
    return { contents: [{ uri, ...content }] }
  })
}

/** @throws McpError with the sentence and the code that the HTTP API would return */
async function answer<T>(deps: ApiDeps, { principal }: McpCaller, work: () => Promise<T>): Promise<T> {
  try {
    assertScope(principal, 'jobs:read')
    return await work()
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.status >= 500) logFailure(deps.log, refusal, error)
    const code = refusal.status === 404 ? NOT_FOUND : refusal.status < 500 ? INVALID_PARAMS : INTERNAL
    throw new McpError(code, `${refusal.message} (${refusal.code})`)
  }
}
