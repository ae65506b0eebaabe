import type { GitHost, PullRequest } from '../git-host/git-host.ts'

/**
 * Finds a job's pull request, in any state. Returns null if the job has no pull request. Ignores
 * closed pull requests from an older branch with the same name. The job's pull request contains the
 * job's commit, or the job id in its branch name or body. An open pull request always matches,
 * because hosts allow only one per branch.
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
