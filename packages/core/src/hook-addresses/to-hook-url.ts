import ipaddr from 'ipaddr.js'
import { findHookGrant, type HookRules } from './find-hook-grant.ts'
import { isPublicAddress } from './is-public-address.ts'

/**
 * Validates a deploy hook or webhook URL. Requires https and a public address. Plain http and
 * private addresses are accepted only for hosts that the operator allowed. Rejects literal
 * addresses in loopback, private, link-local (cloud metadata), unique local, unspecified and all
 * other reserved ranges (IANA special-purpose registries, as implemented by ipaddr.js). Does not
 * resolve host names. Their addresses can change, so the caller must check them when it sends a
 * request.
 * @param rules.allowedHosts entries of ALLOWED_HOOK_HOSTS
 * @param what subject of the error messages, such as `The deploy hook`
 * @throws Error whose message explains how to fix the URL
 */
export function toHookUrl(text: string, rules: HookRules, what = 'The deploy hook'): string {
  if (!URL.canParse(text)) throw new Error(`${what} must be a URL such as https://example.com/hooks/deploy.`)
  const url = new URL(text)
  if (url.username || url.password) throw new Error(`${what} must not contain a user name or password.`)
  if (/^https?:$/.test(url.protocol) && findHookGrant(url, rules) !== null) return url.href
  if (url.protocol !== 'https:')
    throw new Error(`${what} must start with https://. The setting ALLOWED_HOOK_HOSTS allows http for its hosts.`)
  if (!isPublic(url.hostname)) {
    throw new Error(`${url.host} is not a public address. To allow it, add it to ALLOWED_HOOK_HOSTS.`)
  }
  return url.href
}

/**
 * Returns true for a public literal address and for every host name except `localhost`. The URL
 * parser has normalized every spelling of an IPv4 address to dotted form.
 */
function isPublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/(^|\.)localhost\.?$/.test(host)) return false
  if (!ipaddr.isValid(host)) return true
  return isPublicAddress(host)
}
