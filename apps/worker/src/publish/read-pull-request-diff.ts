import type { WorkerConfig } from '../config.ts'
import { buildCredentials } from '../github/credentials.ts'
import { openGitHub } from '../github/open-github.ts'
import { toRepository } from '../github/repository.ts'
import { VERSION } from '../version.ts'

/** A pull request as a unified diff, from the host. @throws GitHubError, CredentialsError */
export async function readPullRequestDiff(
  config: WorkerConfig,
  repositoryUrl: string,
  number: number,
): Promise<string> {
  const repository = toRepository(repositoryUrl)
  const settings = { apiUrl: config.github.apiUrl, version: VERSION }
  const credentials = buildCredentials(config.github.source, settings)
  const github = await openGitHub(
    { ...settings, credentials },
    { repository, access: 'publish', signal: AbortSignal.timeout(20_000) },
  )
  try {
    const { owner, name: repo } = repository
    const diff: unknown = await github.call('read the diff', (octokit, request) =>
      octokit.pulls.get({ owner, repo, pull_number: number, mediaType: { format: 'diff' }, request }),
    )
    return String(diff)
  } finally {
    github.close()
  }
}
