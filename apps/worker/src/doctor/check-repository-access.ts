import type { WorkerConfig } from '../config.ts'
import { withRepository } from '../github/with-repository.ts'

/**
 * Can this installation read the repository and push to it?
 * @returns what was found, as a sentence
 * @throws Error that names what is missing
 */
export function checkRepositoryAccess(config: WorkerConfig, url: string): Promise<string> {
  return withRepository(config, url, async (github) => {
    const { owner, name: repo } = github.repository
    const found = await github.call('read the repository', (octokit, request) =>
      octokit.repos.get({ owner, repo, request }),
    )
    if (found.archived) throw new Error('The repository is archived, so nothing can be pushed to it.')
    if (found.permissions && !found.permissions.push)
      throw new Error('The credential may read this repository but not push to it. Grant it contents: write.')
    return `readable and writable, default branch ${found.default_branch}`
  })
}
