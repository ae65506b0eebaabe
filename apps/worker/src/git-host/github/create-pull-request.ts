import type { CallOptions } from '../call-options.ts'
import type { NewPullRequest, PullRequest } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'
import { toPullRequest } from './to-pull-request.ts'

export async function createPullRequest(
  client: GitHubClient,
  { branch, base, title, body, draft, signal }: NewPullRequest & CallOptions,
): Promise<PullRequest> {
  const response: unknown = await client.call(
    'open the pull request',
    (octokit, request) =>
      octokit.rest.pulls.create({ ...client.name, title, body, head: branch, base, draft, request }),
    // The client must not retry by itself: after a lost response, the pull request may exist.
    { signal, retries: 0 },
  )
  const pull = toPullRequest(branch, response)
  if (pull !== null) return pull
  throw new GitHostError('server_error', `The host opened a pull request from another branch than ${branch}.`)
}
