import type { CallOptions } from '../call-options.ts'
import type { BranchTip, Identity } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'

export async function getBranch(
  client: GitHubClient,
  { branch, signal }: { branch: string } & CallOptions,
): Promise<BranchTip> {
  const { commit } = await client.call(
    'read the branch',
    (octokit, request) => octokit.rest.repos.getBranch({ ...client.name, branch, request }),
    { signal },
  )
  // Some servers with the same API return only the SHA.
  const { commit: details, parents = [] }: Partial<typeof commit> = commit
  return {
    commit: commit.sha,
    message: details?.message ?? '',
    parents: parents.map(({ sha }) => sha),
    author: toIdentity(details?.author ?? null),
    committer: toIdentity(details?.committer ?? null),
  }
}

const toIdentity = (one: { name?: string; email?: string } | null): Identity | null =>
  one?.name === undefined || one.email === undefined ? null : { name: one.name, email: one.email }
