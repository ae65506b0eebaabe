import type { RepositoryAddress } from '@corrigenda/contracts'

/**
 * Base of the REST API for a repository. A configured address wins. github.com and GitHub's
 * data-residency hosts have an API host of their own; all others are GitHub Enterprise Server,
 * which serves it under /api/v3.
 */
export function toApiUrl(repository: RepositoryAddress, configuredApiUrl: string | null): string {
  if (configuredApiUrl !== null) return configuredApiUrl.replace(/\/+$/, '')
  if (repository.host === 'github.com' || repository.host === 'www.github.com') return 'https://api.github.com'
  if (repository.host.endsWith('.ghe.com')) return `https://api.${repository.host}`
  return `${repository.origin}/api/v3`
}
