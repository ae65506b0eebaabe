import ipaddr from 'ipaddr.js'

/**
 * Returns true when the address is in one of the ranges. An empty list allows every address. An
 * IPv4-mapped IPv6 address counts as IPv4.
 */
export function isAddressAllowed(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr)
    return range.kind() === caller.kind() && caller.match(range, bits)
  })
}
