import { createHmac, timingSafeEqual } from 'node:crypto'

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

/** Returns the secret that the sign-in library signs cookies with. */
export const toSessionSecret = (authKey: Buffer): string =>
  createHmac('sha256', authKey).update('sessions').digest('hex')

/**
 * Replaces signatures made with `otherAuthKey` in a Cookie header, because the library accepts only
 * one secret for cookies. Sessions therefore survive a restart during a rotation of the service
 * secret. Other cookies are returned unchanged.
 */
export function signCookiesAgain(
  header: string,
  { authKey, otherAuthKey }: { readonly authKey: Buffer; readonly otherAuthKey: Buffer | null },
): string {
  if (otherAuthKey === null) return header
  const [own, other] = [toSessionSecret(authKey), toSessionSecret(otherAuthKey)]
  return header
    .split(';')
    .map((pair) => {
      const [name = '', encoded = ''] = split(pair, pair.indexOf('='))
      const text = decode(encoded)
      const [value = '', signature = ''] = split(text, text.lastIndexOf('.'))
      if (!isSame(signature, sign(other, value))) return pair
      return `${name}=${encodeURIComponent(`${value}.${sign(own, value)}`)}`
    })
    .join(';')
}

const split = (text: string, at: number): string[] => (at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)])

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const sign = (secret: string, value: string): string => createHmac('sha256', secret).update(value).digest('base64')

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
