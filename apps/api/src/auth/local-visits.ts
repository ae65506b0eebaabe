import { ensureDemoOwner, type SignedInUser } from '@corrigenda/core/accounts'
import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import type { Exchange, UserSessions } from './user-sessions.ts'

/** Headers that proxies, tunnels and content delivery networks add to a forwarded request. */
const FORWARDING =
  /^(forwarded|via|(x-)?(real|client|cluster-client|true-client)-ip|x-(forwarded|original|envoy)-.*|cf-.*|fly-.*|ngrok-.*|tailscale-.*)$/

/**
 * Returns true for a direct request from the same machine to a service whose public URL is a loopback
 * address. Such a visitor can create the first account without the token from the log, and enter a
 * demo. A service that is exposed to the network by mistake has no such visitors.
 */
export const isLocalVisit = (deps: ApiDeps, request: FastifyRequest): boolean =>
  isLoopback(new URL(deps.publicUrl).hostname) && deps.trustProxy === false && isLocalRequest(request)

/**
 * Signs a demo visitor in to the demo account, so that the first page has content. Applies only to
 * requests from the same machine, and only if the public URL is a loopback address and no proxy is
 * trusted.
 */
export async function findDemoUser(
  deps: ApiDeps,
  userSessions: UserSessions,
  exchange: Exchange,
): Promise<SignedInUser | null> {
  const { headers } = exchange.request
  if (headers.authorization !== undefined || !deps.demoSignIn || !isLocalVisit(deps, exchange.request)) return null
  // A page on another site must not start a session.
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return null
  const { userId } = await ensureDemoOwner(deps)
  return userSessions.startSession(exchange, userId, 'demo')
}

/**
 * Returns true if the request comes from a program on the same machine and is addressed to this
 * machine. The check uses the connection's address, not an address from a header. A request that
 * passed through a proxy is not local. The Host must be a loopback name, so that a page cannot send
 * requests through a DNS name that resolves to this machine (DNS rebinding).
 */
function isLocalRequest(request: FastifyRequest): boolean {
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
