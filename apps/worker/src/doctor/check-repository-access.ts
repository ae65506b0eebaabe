import type { WorkerConfig } from '../config.ts'
import { buildCredentials } from '../github/credentials.ts'
import { openGitHub } from '../github/open-github.ts'
import { toRepository } from '../github/repository.ts'
import { VERSION } from '../version.ts'

/**
 * Can this installation read the repository and push to it?
 * @returns what was found, as a sentence
 * @throws Error that names what is missing
 */
export async function checkRepositoryAccess(config: WorkerConfig, url: string): Promise<string> {
  const repository = toRepository(url)
  const settings = { apiUrl: config.github.apiUrl, version: VERSION }
  const credentials = buildCredentials(config.github.source, settings)
  const github = await openGitHub(
    { ...settings, credentials },
    { repository, access: 'publish', signal: AbortSignal.timeout(20_000) },
  )
  try {
    const { owner, name: repo } = repository
    const found = await github.call('read the repository', (octokit, request) =>
      octokit.repos.get({ owner, repo, request }),
    )
    if (found.archived) throw new Error('The repository is archived, so nothing can be pushed to it.')
    if (found.permissions && !found.permissions.push)
      throw new Error('The credential may read this repository but not push to it. Grant it contents: write.')
    return `readable and writable, default branch ${found.default_branch}`
  } finally {
    github.close()
  }
}
