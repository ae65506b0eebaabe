import type { RepositoryAddress } from '@corrigenda/contracts'
import type { GitHubSettings } from './build-api.ts'

/**
 * Returns the base URL of the REST API for a repository. A configured URL takes precedence for its
 * host.
 * github.com and GitHub's data-residency hosts have a separate API host. All other hosts are GitHub
 * Enterprise Server, which serves the API under /api/v3.
 */
export function toApiUrl(
  repository: RepositoryAddress,
  { apiUrl, apiUrlHost = null }: Pick<GitHubSettings, 'apiUrl' | 'apiUrlHost'>,
): string {
  if (apiUrl !== null && (apiUrlHost === null || apiUrlHost === repository.host))
    return apiUrl.replace(/(?<!\/)\/+$/, '')
  if (repository.host === 'github.com' || repository.host === 'www.github.com') return 'https://api.github.com'
  if (repository.host.endsWith('.ghe.com')) return `https://api.${repository.host}`
  return `${repository.origin}/api/v3`
}
