import ipaddr from 'ipaddr.js'

/** Addresses of cloud platforms' own services that lie in public ranges: Azure's virtual public address. */
const PLATFORM = new Set(['168.63.129.16'])
/** All that IANA has given out for global unicast. What carries an IPv4 address in another way (mapped, compatible, NAT64) lies outside. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Is this an address of the public internet? Loopback, private, link-local (where clouds keep metadata), carrier-grade NAT, multicast, unspecified,
 * 6to4, Teredo and every other special range is not (IANA special-purpose registries, as ipaddr.js knows them).
 * @param address a dotted IPv4 or an IPv6 address without brackets; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return !PLATFORM.has(address) && ipaddr.IPv4.parse(address).range() === 'unicast'
  }
  // A zone would name an interface of this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.match(GLOBAL_IPV6) && parsed.range() === 'unicast'
}
