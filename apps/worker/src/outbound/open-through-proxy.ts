import type { ClientRequestArgs } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { openTunnel, ProxyError } from '@corrigenda/egress'
import type { Target } from './resolve-target.ts'

type OnCreated = (error: Error | null, socket: Duplex) => void

/**
 * Returns a `createConnection` for one request, which connects to the target's addresses through its
 * proxy, one after the other. A proxy may lack IPv6, so IPv4 addresses come first. If the target has
 * no addresses, the proxy resolves the name.
 */
export function openThroughProxy(target: Target & { readonly proxy: URL }, signal: AbortSignal) {
  return (_options: ClientRequestArgs, done: OnCreated): undefined => {
    connect(target, signal).then(
      (socket) => done(null, socket),
      (error: Error) => (done as (error: Error) => void)(error),
    )
  }
}

async function connect({ url, proxy, addresses }: Target & { proxy: URL }, signal: AbortSignal): Promise<Duplex> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const hosts = addresses === null ? [name] : addresses.map(({ address }) => address)
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  let last: unknown
  for (const host of hosts.sort((a, b) => isIP(a) - isIP(b))) {
    try {
      return await openTunnel({ proxy, host, port, tls: isSecure ? { host: name } : null, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProxyError)) throw error
      last = error
    }
  }
  throw last
}
