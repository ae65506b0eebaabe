import type { GitHub } from '../github/open-github.ts'

export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/**
 * The repository's present name. A renamed or moved repository still answers under its old address, but a pull request cannot be
 * looked up by the old owner. Throws GitHubError.
 */
export async function getRepositoryName(
  deps: { github: GitHub },
  input: { signal: AbortSignal },
): Promise<RepositoryName> {
  const { owner, name } = deps.github.repository
  const found = await deps.github.call(
    'find the repository',
    (octokit, request) => octokit.rest.repos.get({ owner, repo: name, request }),
    { signal: input.signal },
  )
  const [presentOwner, presentName] = found?.full_name?.split('/') ?? []
  return { owner: presentOwner || owner, repo: presentName || name }
}
