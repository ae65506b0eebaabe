import ipaddr from 'ipaddr.js'

/** Addresses of cloud platform services in public ranges (Azure's virtual public IP). */
const PLATFORM = new Set(['168.63.129.16'])
/**
 * All IPv6 addresses that IANA has assigned to global unicast. Excludes IPv6 encodings of IPv4
 * addresses (mapped, compatible, NAT64).
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns true for an address on the public internet. Excludes loopback, private, link-local (cloud
 * metadata), carrier-grade NAT, multicast, unspecified, 6to4, Teredo and every other special range
 * (IANA special-purpose registries, as implemented by ipaddr.js).
 * @param address a dotted IPv4 or an IPv6 address without brackets; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return !PLATFORM.has(address) && ipaddr.IPv4.parse(address).range() === 'unicast'
  }
  // A zone identifier names a network interface on this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.match(GLOBAL_IPV6) && parsed.range() === 'unicast'
}
