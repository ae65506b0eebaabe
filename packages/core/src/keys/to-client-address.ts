import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address with a port: `203.0.113.9:51234`, `[2001:db8::1]:443`, or `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]{7,15}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i

/**
 * Returns a client's address in its canonical form. Some proxies add the port to the address, and a
 * socket for both protocols represents IPv4 addresses as IPv6 (`::ffff:203.0.113.9`). Limits and
 * ranges compare addresses, so each address has only one form. A text that is not an address is
 * returned as it is.
 */
export function toClientAddress(text: string): string {
  const [, v4, v6] = WITH_PORT.exec(text) ?? []
  const address = v4 ?? v6 ?? text
  return isIP(address) === 0 ? text : ipaddr.process(address).toString()
}
