const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Returns true if the operator has allowed the URL's host and port. An entry without a port allows
 * only the scheme's default port.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || DEFAULT_PORTS[url.protocol]
  return allowedHosts.includes(url.host) || allowedHosts.includes(`${url.hostname}:${port}`)
}
