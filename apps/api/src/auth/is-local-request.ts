import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'

/** What proxies, tunnels and content networks say of the request before. */
const FORWARDING =
  /^(forwarded|via|(x-)?(real|client|cluster-client|true-client)-ip|x-(forwarded|original|envoy)-.*|cf-.*|fly-.*|ngrok-.*|tailscale-.*)$/

/**
 * Did this come from a program on the same machine, meant for this machine? The connection itself is looked at, not what the request says of it; a
 * request that passed a proxy is not local. The Host must be a loopback name, so that a page whose name was made to point here cannot ask for its
 * visitor (DNS rebinding).
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const { headers, socket, raw } = request
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false
  // Browsers have spoken 1.1 for decades; proxies that are told nothing ask with 1.0 and pass no header on.
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
