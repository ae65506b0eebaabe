/** URLs of the API and the web interface of the Git host, without a trailing slash. */
export interface GitHostAddress {
  readonly apiUrl: string
  readonly webUrl: string
}

/**
 * Returns the URLs of the Git host that Apps are registered with. GitHub's own hosts have a
 * separate API host. An Enterprise Server serves its API below its own URL.
 * @param configured GITHUB_API_URL; null: github.com
 */
export function toGitHostAddress(configured: string | null): GitHostAddress {
  if (configured === null) return { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' }
  const apiUrl = configured.replace(/\/+$/, '')
  const { protocol, host } = new URL(apiUrl)
  const hasApiHost = host === 'api.github.com' || (host.startsWith('api.') && host.endsWith('.ghe.com'))
  return { apiUrl, webUrl: `${protocol}//${hasApiHost ? host.slice('api.'.length) : host}` }
}
