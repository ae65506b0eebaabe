/**
 * The proxies for outgoing connections. Plain data, because it is also sent to child processes. The
 * addresses are URLs and may contain credentials.
 */
export interface Proxies {
  /** Proxy for https URLs. Null: direct connections. */
  readonly https: string | null
  /** Proxy for http URLs. Null: direct connections. */
  readonly http: string | null
  /** Hosts with direct connections, in the format of NO_PROXY. See `isExcluded`. */
  readonly exclude: string
}

/** Returns the proxies of the settings, or null if every connection is direct. */
export function toProxies(settings: {
  HTTPS_PROXY?: string | undefined
  HTTP_PROXY?: string | undefined
  NO_PROXY?: string | undefined
}): Proxies | null {
  const { HTTPS_PROXY: https = null, HTTP_PROXY: http = null, NO_PROXY: exclude = '' } = settings
  return https === null && http === null ? null : { https, http, exclude }
}

/**
 * Returns the values that must not appear in logs: passwords, and credentials as they are sent. A
 * user name without a password is a token.
 */
export function listProxySecrets(proxies: Proxies | null): string[] {
  const urls = [proxies?.https, proxies?.http].flatMap((url) => (url ? [new URL(url)] : []))
  return urls.flatMap((url) => {
    const secret = decodeURIComponent(url.password || url.username)
    return secret === '' ? [] : [secret, toCredentials(url)]
  })
}

/** Returns the credentials of a proxy for HTTP Basic authentication (RFC 7617). */
export const toCredentials = ({ username, password }: URL): string =>
  Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
