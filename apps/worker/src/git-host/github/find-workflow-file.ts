import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'

const File = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() })

export async function findWorkflowFile(
  client: GitHubClient,
  { workflow, ref, signal }: { workflow: string; ref: string } & CallOptions,
): Promise<Buffer | null> {
  const { path } = await client.call(
    'read the workflow',
    (octokit, request) => octokit.rest.actions.getWorkflow({ ...client.name, workflow_id: workflow, request }),
    { signal },
  )
  const response: unknown = await client.call(
    'read the workflow file',
    (octokit, request) => octokit.rest.repos.getContent({ ...client.name, path, ref, request }),
    { signal },
  )
  const file = File.safeParse(response)
  return file.success ? Buffer.from(file.data.content, 'base64') : null
}
