import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { PullRequest } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'
import { toPullRequest } from './to-pull-request.ts'

export async function listPullRequests(
  client: GitHubClient,
  { branch, signal }: { branch: string } & CallOptions,
): Promise<PullRequest[]> {
  await readName(client, signal)
  const { owner } = client.name
  const response: unknown = await client.call(
    'look up the pull request',
    (octokit, request) =>
      octokit.rest.pulls.list({ ...client.name, head: `${owner}:${branch}`, state: 'all', per_page: 100, request }),
    { signal },
  )
  const listed = parseAnswer(z.array(z.unknown()), response, 'a list of pull requests')
  return listed.map((one) => toPullRequest(branch, one)).filter((one) => one !== null)
}

/**
 * Reads the repository's current name. A renamed or transferred repository still responds at its
 * old URL, but the `head` filter requires the current owner.
 */
async function readName(client: GitHubClient, signal: AbortSignal | undefined): Promise<void> {
  const found = await client.call(
    'find the repository',
    (octokit, request) => octokit.rest.repos.get({ ...client.name, request }),
    { signal },
  )
  const [owner, repo] = found?.full_name?.split('/') ?? []
  if (owner && repo) client.setName({ owner, repo })
}
