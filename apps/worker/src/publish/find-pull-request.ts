import type { GitHost, PullRequest } from '../git-host/git-host.ts'

/**
 * The pull request that belongs to a job's branch, in any state; null when there is none.
 * `jobId` tells our own from an older, finished one of the same branch name: ours has the job's commit, or names the job in its
 * branch or text. An open one always counts, as hosts allow no second.
 * @throws GitHostError
 */
export async function findPullRequest(
  deps: { gitHost: GitHost },
  input: { branch: string; expectedHead: string; jobId: string; signal: AbortSignal },
): Promise<PullRequest | null> {
  const { branch, expectedHead, jobId, signal } = input
  const candidates = await deps.gitHost.listPullRequests({ branch, signal })
  const certain =
    candidates.find((one) => one.headSha === expectedHead) ??
    candidates.find((one) => one.state === 'open') ??
    candidates.find((one) => branch.includes(jobId) || one.body.includes(jobId))
  if (certain) return certain
  for (const one of candidates) {
    if (await deps.gitHost.hasCommit({ number: one.number, commit: expectedHead, signal })) return one
  }
  return null
}
