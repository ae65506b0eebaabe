import type { GitHub } from '../github/open-github.ts'
import { toPullRequest } from '../publish/find-pull-request.ts'
import { getRepositoryName, type RepositoryName } from '../publish/get-repository-name.ts'
import { RunFailure } from './run-failure.ts'

/**
 * A follow-up goes on with an open pull request only: what is pushed after a merge would reach nobody.
 * @returns the present name of the repository
 * @throws RunFailure `pull_request_closed`; GitHubError
 */
export async function refuseClosed(
  github: GitHub,
  input: { number: number; branch: string; signal: AbortSignal },
): Promise<RepositoryName> {
  const { number, branch, signal } = input
  const name = await getRepositoryName({ github }, { signal })
  const { owner, repo } = name
  const answer: unknown = await github.call(
    'read the pull request',
    (octokit, request) => octokit.rest.pulls.get({ owner, repo, pull_number: number, request }),
    { signal },
  )
  const pull = toPullRequest({ ...name, branch }, answer)
  if (pull !== null && pull.state !== 'open') {
    throw new RunFailure('pull_request_closed', `The pull request was ${pull.state} meanwhile. Create a new job.`)
  }
  return name
}
