import ipaddr from 'ipaddr.js'
import { isAllowedHost } from './is-allowed-host.ts'
import { isPublicAddress } from './is-public-address.ts'

/**
 * Checks the URL of a deploy hook or a webhook: https anywhere public, and plain http or private addresses only for hosts the operator allowed. An address that is
 * written out must be public: loopback, private, link-local (where clouds keep metadata), unique local, unspecified and every other reserved range
 * (IANA special-purpose registries, as ipaddr.js knows them) is refused. A host name is not resolved here: what it points to can change until
 * the call, so it must be looked at then.
 * @param allowedHosts `host` or `host:port` from ALLOWED_HOOK_HOSTS
 * @param what subject of the sentences about what is wrong
 * @throws Error that says what to change
 */
export function toHookUrl(text: string, allowedHosts: readonly string[], what = 'The deploy hook'): string {
  if (!URL.canParse(text)) throw new Error(`${what} must be a URL such as https://example.com/hooks/deploy.`)
  const url = new URL(text)
  if (url.username || url.password) throw new Error(`${what} must not contain a user name or password.`)
  if (/^https?:$/.test(url.protocol) && isAllowedHost(url, allowedHosts)) return url.href
  if (url.protocol !== 'https:') throw new Error(`${what} must start with https://.`)
  if (!isPublic(url.hostname)) {
    throw new Error(`${url.host} is not a public address. To call it, add it to ALLOWED_HOOK_HOSTS.`)
  }
  return url.href
}

/** Host names other than `localhost` count as public here. The URL parser has brought every spelling of an IPv4 address into dotted form. */
function isPublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/(^|\.)localhost\.?$/.test(host)) return false
  if (!ipaddr.isValid(host)) return true
  return isPublicAddress(host)
}
