import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { findHookGrant, isPublicAddress } from '@corrigenda/core/hook-addresses'
import { findProxy, type Proxies } from '@corrigenda/egress'

/** Returns all addresses of a host name. Rejects or returns none if the name does not resolve. */
export type LookUp = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Target of a request: the URL, and where the connection may go. */
export interface Target {
  readonly url: URL
  /** The proxy that opens the connection. Null: the connection is direct. */
  readonly proxy: URL | null
  /** The only addresses that the connection may use. Null: the proxy resolves the name. */
  readonly addresses: readonly Address[] | null
  /**
   * False if the response body must not be shown to users: the host is private and the operator has
   * allowed it for every project, not for this one.
   */
  readonly isReadable: boolean
}

/**
 * Checks a URL and resolves its addresses once. The connection must use these addresses, because a
 * second lookup could return different ones. If any address is forbidden, the host is rejected. With
 * a proxy, the name of a host that the operator allowed is left to the proxy, because the network
 * may not resolve it and the host may have any address.
 * @param input.allowedHosts entries of ALLOWED_HOOK_HOSTS; they may be private and use plain http
 * @param input.lookUp overridden only in tests
 * @throws OutboundError `bad_url`, `address_refused`, `name_not_found`
 */
export async function resolveTarget(input: {
  url: string
  allowedHosts: readonly string[]
  projectId: string
  proxies?: Proxies | null
  signal: AbortSignal
  lookUp?: LookUp
}): Promise<Target> {
  if (!URL.canParse(input.url)) throw new OutboundError('bad_url', 'The URL is invalid.')
  const url = new URL(input.url)
  const grant = findHookGrant(url, input)
  const isAllowed = grant !== null
  if (url.username || url.password) {
    throw new OutboundError('bad_url', 'The URL must not contain a user name or password.')
  }
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:')) {
    throw new OutboundError('bad_url', `${url.host || 'The URL'} was not called. The URL must start with https://.`)
  }
  // The URL parser has already normalized every IPv4 notation to dotted form.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isAllowed && LOCAL_NAME.test(host)) throw refused(url)
  const proxy = findProxy(input.proxies ?? null, url)
  if (proxy !== null && isAllowed && isIP(host) === 0) {
    return { url, proxy, addresses: null, isReadable: grant === 'project' }
  }
  const found = isIP(host) ? [host] : await find(host, isAllowed, input)
  const addresses = [...new Set(found)].map(toAddress)
  const isPublic = addresses.every(({ address }) => isPublicAddress(address))
  if (!isAllowed && !isPublic) throw refused(url)
  return { url, proxy, addresses, isReadable: isPublic || grant === 'project' }
}

/** Names that always refer to this machine (RFC 6761), regardless of the name server. */
const LOCAL_NAME = /(^|\.)localhost\.?$/

function refused(url: URL): OutboundError {
  return new OutboundError(
    'address_refused',
    `${url.host} is not a public address. To allow it, add it to ALLOWED_HOOK_HOSTS.`,
  )
}

async function find(
  host: string,
  isAllowed: boolean,
  { signal, lookUp }: { signal: AbortSignal; lookUp?: LookUp },
): Promise<readonly string[]> {
  try {
    const found = await (lookUp ?? (isAllowed ? askSystem : askNameServers))(host, signal)
    if (found.length > 0) return found
  } catch (error) {
    if (signal.aborted) throw error
  }
  throw new OutboundError('name_not_found', `The host name ${host} does not resolve to an IP address.`)
}

function toAddress(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 }
}

/** Uses the system resolver, so that local names (hosts file, containers) resolve. */
const askSystem: LookUp = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/**
 * Queries the name servers directly. The system resolver blocks one of Node's few pool threads
 * until the response arrives, so a slow external name server would delay file access and
 * compression.
 */
const askNameServers: LookUp = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return lookups.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Reason why an outbound request did not receive a response. */
type OutboundErrorCode =
  /** The URL is invalid, contains credentials, or is neither https nor http to an allowed host. */
  | 'bad_url'
  /** The host is, or resolves to, an address that is neither public nor allowed. */
  | 'address_refused'
  | 'name_not_found'
  | 'connection'
  | 'tls'
  | 'timeout'
  /** The caller's signal aborted. */
  | 'aborted'

/**
 * Error for an outbound request that did not receive a response. The message names only the host,
 * because the rest of the URL may contain secrets.
 */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'OutboundError'
  }
}
