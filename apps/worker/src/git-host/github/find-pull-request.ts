import type { CallOptions } from '../call-options.ts'
import type { PullRequest } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { toPullRequest } from './to-pull-request.ts'

export async function findPullRequest(
  client: GitHubClient,
  { number, branch, signal }: { number: number; branch: string } & CallOptions,
): Promise<PullRequest | null> {
  const response: unknown = await client.call(
    'read the pull request',
    (octokit, request) => octokit.rest.pulls.get({ ...client.name, pull_number: number, request }),
    { signal },
  )
  return toPullRequest(branch, response)
}
