/** The address of the caller as the framework sees it: the library gets no other headers to guess from. */
export const ADDRESS_HEADER = 'x-corrigenda-address'

/** What names of cookies begin with. `__Host-`: only this host over https may set them, for all paths (RFC 6265bis, 4.1.3.2). */
export const toCookiePrefix = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-corrigenda' : 'corrigenda'

export const toSessionCookie = (publicUrl: string): string => `${toCookiePrefix(publicUrl)}_session`
