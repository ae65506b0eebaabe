import type { RepositoryAddress } from '@corrigenda/contracts'

/**
 * Returns the base URL of the REST API for a repository. A configured URL takes precedence.
 * github.com and GitHub's data-residency hosts have a separate API host. All other hosts are GitHub
 * Enterprise Server, which serves the API under /api/v3.
 */
export function toApiUrl(repository: RepositoryAddress, configuredApiUrl: string | null): string {
  if (configuredApiUrl !== null) return configuredApiUrl.replace(/\/+$/, '')
  if (repository.host === 'github.com' || repository.host === 'www.github.com') return 'https://api.github.com'
  if (repository.host.endsWith('.ghe.com')) return `https://api.${repository.host}`
  return `${repository.origin}/api/v3`
}
