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
    // The client must not retry, because the pull request may exist even if no response arrived.
    { signal, retries: 0 },
  )
  const pull = toPullRequest(branch, response)
  if (pull !== null) return pull
  throw new GitHostError('server_error', `The host opened a pull request from a branch other than ${branch}.`)
}
