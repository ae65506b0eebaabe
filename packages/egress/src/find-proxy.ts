import { BlockList, isIP } from 'node:net'
import type { Proxies } from './proxies.ts'

/** The parts of a URL that select its proxy. `port` is empty for the scheme's default port. */
interface ProxyTarget {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
}

/**
 * Returns the proxy for a URL, or null for a direct connection. Connections to this machine are
 * always direct.
 */
export function findProxy(proxies: Proxies | null, target: ProxyTarget): URL | null {
  if (proxies === null) return null
  const address = target.protocol === 'https:' ? proxies.https : proxies.http
  const host = target.hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  if (address === null || isLoopback(host) || isExcluded(proxies.exclude, host, port)) return null
  return new URL(address)
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const isLoopback = (host: string): boolean => /(^|\.)localhost\.?$/.test(host) || isIn(LOOPBACK, host)

/**
 * Returns true if NO_PROXY lists the host. Entries are separated by commas or spaces: `*`, a domain
 * (with its subdomains), an IP address, a range such as `10.0.0.0/8`, and each of these except the
 * range with a port. Addresses and ranges match only hosts that are written as addresses, because
 * names are not resolved.
 */
function isExcluded(exclude: string, host: string, port: string): boolean {
  return exclude
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => matches(entry, host, port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [, range = '', bits] = /^([\da-f.:]+)\/(\d{1,3})$/.exec(entry) ?? []
  if (bits !== undefined) return isInRange(host, range, Number(bits))
  const [, inBrackets, plain = '', ownPort] = /^(?:\[([\da-f:]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
  if (ownPort !== undefined && ownPort !== port) return false
  const name = (inBrackets ?? (plain || entry)).replace(/^\*?\./, '')
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

function isInRange(host: string, address: string, bits: number): boolean {
  const version = isIP(address)
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return false
  const range = new BlockList()
  range.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6')
  return isIn(range, host)
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host)
  return version !== 0 && list.check(host, version === 4 ? 'ipv4' : 'ipv6')
}
