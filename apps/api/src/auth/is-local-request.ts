import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'

/** Headers that proxies, tunnels and content delivery networks add to a forwarded request. */
const FORWARDING =
  /^(forwarded|via|(x-)?(real|client|cluster-client|true-client)-ip|x-(forwarded|original|envoy)-.*|cf-.*|fly-.*|ngrok-.*|tailscale-.*)$/

/**
 * Returns true if the request comes from a program on the same machine and is addressed to this
 * machine. The check uses the connection's address, not an address from a header. A request that
 * passed through a proxy is not local. The Host must be a loopback name, so that a page cannot send
 * requests through a DNS name that resolves to this machine (DNS rebinding).
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const { headers, socket, raw } = request
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false
  // All browsers use HTTP/1.1 or later. Proxies with default settings may use HTTP/1.0 without
  // forwarding headers.
  if (raw.httpVersionMajor < 1 || (raw.httpVersionMajor === 1 && raw.httpVersionMinor < 1)) return false
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (address !== '::1' && !/^127(\.\d{1,3}){3}$/.test(address)) return false
  return isLoopbackHost(headers.host) && (headers.origin === undefined || isLoopbackOrigin(headers.origin))
}

function isLoopbackHost(host: string | undefined): boolean {
  const url = `http://${host ?? ''}`
  return host !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname)
}

const isLoopbackOrigin = (origin: string): boolean => URL.canParse(origin) && isLoopback(new URL(origin).hostname)
