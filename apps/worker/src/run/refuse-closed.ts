import type { GitHost } from '../git-host/git-host.ts'
import { RunFailure } from './run-failure.ts'

/**
 * Rejects a follow-up on a pull request that is not open, because commits pushed after a merge
 * would never be published.
 * @throws RunFailure `pull_request_closed`; GitHostError
 */
export async function refuseClosed(
  gitHost: GitHost,
  input: { number: number; branch: string; signal: AbortSignal },
): Promise<void> {
  const pull = await gitHost.findPullRequest(input)
  if (pull !== null && pull.state !== 'open') {
    throw new RunFailure('pull_request_closed', `The pull request has been ${pull.state}. Create a new job.`)
  }
}
