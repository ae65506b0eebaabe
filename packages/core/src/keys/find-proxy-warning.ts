import ipaddr from 'ipaddr.js'
import type { PrismaDeps } from '../db/open-database.ts'
import type { TrustedProxies } from '../runtime/read-env.ts'

/** Ranges that the names in `TRUST_PROXY` stand for, as in the package proxy-addr. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
/** Shortest prefixes of a range that may contain only proxies. */
const MIN_BITS = { 4: 16, 6: 48 }
const MAX_KEYS = 1_000

/**
 * Returns a sentence if keys are restricted to IP addresses, but clients can choose their address
 * or all seem to have the proxy's; null if the settings fit. A number of proxies cannot be checked.
 * @param settings.publicUrl the configured URL. With https, a proxy is in front of the API.
 */
export async function findProxyWarning(
  { prisma }: PrismaDeps,
  { trustProxy, publicUrl }: { trustProxy: TrustedProxies | false; publicUrl: string | null },
): Promise<string | null> {
  if (typeof trustProxy === 'function') return null
  const trusted =
    trustProxy === false ? [] : trustProxy.split(',').flatMap((part) => NAMES[part.trim()] ?? [part.trim()])
  const found = await prisma.apiKey.findMany({
    where: {
      revokedAt: null,
      allowedCidrs: { isEmpty: false },
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    select: { allowedCidrs: true },
    take: MAX_KEYS,
  })
  if (found.length === 0) return null
  const restricted = `${found.length === 1 ? '1 API key is' : `${found.length} API keys are`} restricted to IP addresses`
  if (trustProxy === false) {
    if (publicUrl === null || !publicUrl.startsWith('https:')) return null
    return `${restricted}, but TRUST_PROXY is not set, so every request seems to come from the proxy. Set it to the number of proxies or to their addresses.`
  }
  const wide = trusted.find(isWide)
  const inside = found
    .flatMap(({ allowedCidrs }) => allowedCidrs)
    .find((allowed) => trusted.some((range) => isSeveral(range) && contains(range, allowed)))
  const range = wide ?? inside
  if (range === undefined) return null
  return `${restricted}, but TRUST_PROXY contains ${wide === undefined ? 'addresses that a key allows' : 'a large range'} (${range}), so a client in it can choose its address. List only the proxies' addresses.`
}

const isSeveral = (range: string): boolean => range.includes('/') && !/^[^:]*\/32$|\/128$/.test(range)

function isWide(range: string): boolean {
  const [address = '', bits] = range.split('/')
  if (bits === undefined || (NAMES.loopback ?? []).includes(range)) return false
  return Number(bits) < MIN_BITS[address.includes(':') ? 6 : 4]
}

/** Returns true if every address of one range is in the other. */
function contains(outer: string, inner: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(outer)
  const [start, length] = ipaddr.parseCIDR(inner)
  return range.kind() === start.kind() && length >= bits && start.match(range, bits)
}
