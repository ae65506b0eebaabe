/**
 * Header that passes the caller's IP address, as resolved by the framework, to the library. The
 * library receives no forwarding headers.
 */
export const ADDRESS_HEADER = 'x-corrigenda-address'

/**
 * Returns the cookie name prefix. With `__Host-`, only this host can set the cookie, over HTTPS and
 * for all paths (RFC 6265bis, 4.1.3.2).
 */
export const toCookiePrefix = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-corrigenda' : 'corrigenda'

export const toSessionCookie = (publicUrl: string): string => `${toCookiePrefix(publicUrl)}_session`
