const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Returns true when the operator allowed the host of a URL: with its port, or without one when the
 * URL uses the default port of its scheme.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || DEFAULT_PORTS[url.protocol]
  return allowedHosts.includes(url.host) || allowedHosts.includes(`${url.hostname}:${port}`)
}
