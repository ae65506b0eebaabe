const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Whether the operator allowed the host of a URL: named with its port, or without one when the URL has its scheme's own.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || DEFAULT_PORTS[url.protocol]
  return allowedHosts.includes(url.host) || allowedHosts.includes(`${url.hostname}:${port}`)
}
