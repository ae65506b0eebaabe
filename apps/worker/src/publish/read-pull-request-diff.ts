import type { WorkerConfig } from '../config/config.ts'
import { withRepository } from '../github/with-repository.ts'

/** A pull request as a unified diff, from the host. @throws GitHubError, CredentialsError */
export function readPullRequestDiff(config: WorkerConfig, repositoryUrl: string, number: number): Promise<string> {
  return withRepository(config, repositoryUrl, async (github) => {
    const { owner, name: repo } = github.repository
    const diff: unknown = await github.call('read the diff', (octokit, request) =>
      octokit.pulls.get({ owner, repo, pull_number: number, mediaType: { format: 'diff' }, request }),
    )
    return String(diff)
  })
}
