import type { CallOptions } from '../call-options.ts'
import type { BranchTip } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'

export async function getBranch(
  client: GitHubClient,
  { branch, signal }: { branch: string } & CallOptions,
): Promise<BranchTip> {
  const { commit } = await client.call(
    'read the base branch',
    (octokit, request) => octokit.rest.repos.getBranch({ ...client.name, branch, request }),
    { signal },
  )
  return { commit: commit.sha, message: commit.commit.message }
}
