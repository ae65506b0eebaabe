/** The Git host's API and web URLs, without a trailing slash. */
export interface GitHostAddress {
  readonly apiUrl: string
  readonly webUrl: string
}

/**
 * Returns the URLs of the Git host where Apps are registered. github.com and GitHub Enterprise
 * Cloud have a separate API host. GitHub Enterprise Server serves its API under its own URL.
 * @param configured GITHUB_API_URL, or null for github.com
 */
export function toGitHostAddress(configured: string | null): GitHostAddress {
  if (configured === null) return { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' }
  const apiUrl = configured.replace(/\/+$/, '')
  const { protocol, host } = new URL(apiUrl)
  const hasApiHost = host === 'api.github.com' || (host.startsWith('api.') && host.endsWith('.ghe.com'))
  return { apiUrl, webUrl: `${protocol}//${hasApiHost ? host.slice('api.'.length) : host}` }
}
