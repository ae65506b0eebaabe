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
  const { message, author, committer } = commit.commit
  return {
    commit: commit.sha,
    message,
    parents: commit.parents.map(({ sha }) => sha),
    author: toIdentity(author),
    committer: toIdentity(committer),
  }
}

const toIdentity = (one: { name?: string; email?: string } | null): Identity | null =>
  one?.name === undefined || one.email === undefined ? null : { name: one.name, email: one.email }
