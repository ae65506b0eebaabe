import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

const PATH = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'

/** Response of newer hosts to a dispatch that requests run details. Older hosts return no body. */
const Started = z.object({ workflow_run_id: z.number().int() })

export async function startWorkflow(
  client: GitHubClient,
  input: { workflow: string; ref: string; inputs: Readonly<Record<string, string>> } & CallOptions,
): Promise<number | null> {
  const { workflow, ref, inputs, signal } = input
  const dispatch = { ...client.name, workflow_id: workflow, ref, inputs }
  const post = async (details: { return_run_details?: boolean }) => {
    const run = async (octokit: Octokit, request: object): Promise<{ data: unknown }> =>
      octokit.request(PATH, { ...dispatch, ...details, request })
    const response = await client.call('start the workflow', run, { signal, retries: 0 })
    return Started.safeParse(response).data?.workflow_run_id ?? null
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
}
