import type { GitHost, PullRequest } from '../git-host/git-host.ts'

/**
 * Finds the pull request of a job's branch, in any state; null when there is none. `jobId`
 * distinguishes it from an older, closed one from a branch of the same name: the job's own pull
 * request contains the job's commit, or the job's id in its branch name or body. An open pull
 * request always counts, because hosts allow only one per branch.
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
