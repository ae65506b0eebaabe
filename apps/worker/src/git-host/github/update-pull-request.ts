import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'

export async function updatePullRequest(
  client: GitHubClient,
  { number, body, signal }: { number: number; body: string } & CallOptions,
): Promise<void> {
  await client.call(
    'describe the follow-up in the pull request',
    (octokit, request) => octokit.rest.pulls.update({ ...client.name, pull_number: number, body, request }),
    { signal },
  )
}
