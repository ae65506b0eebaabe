import { parse } from 'yaml'
import { z } from 'zod'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'

/** Input that a workflow may declare to be told which deployment it is of; with it in `run-name`, its run is found for certain. */
export const CORRELATION_INPUT = 'corrigenda_status_id'

const MAX_BYTES = 256 * 1024

const File = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() })
const Declares = z.object({
  on: z.object({
    workflow_dispatch: z.object({
      inputs: z.object({ [CORRELATION_INPUT]: z.unknown().refine((v) => v !== undefined) }),
    }),
  }),
})

/** Whether the workflow, as it stands on the ref, declares the input: GitHub refuses a dispatch with an input that is not declared. */
export async function takesCorrelation(github: GitHub, input: { workflow: string; ref: string }): Promise<boolean> {
  const { owner, name: repo } = github.repository
  try {
    const { path } = await github.call('read the workflow', (octokit, request) =>
      octokit.rest.actions.getWorkflow({ owner, repo, workflow_id: input.workflow, request }),
    )
    const file = await github.call('read the workflow file', (octokit, request) =>
      octokit.rest.repos.getContent({ owner, repo, path, ref: input.ref, request }),
    )
    const { success, data } = File.safeParse(file)
    return success && declaresCorrelation(Buffer.from(data.content, 'base64'))
  } catch (error) {
    // The dispatch itself will tell what is wrong.
    if (error instanceof GitHubError && error.code !== 'aborted') return false
    throw error
  }
}

/** A file that cannot be read declares nothing. */
export function declaresCorrelation(file: Buffer): boolean {
  if (file.length > MAX_BYTES) return false
  try {
    return Declares.safeParse(parse(file.toString('utf8'), { logLevel: 'silent' })).success
  } catch {
    return false
  }
}
