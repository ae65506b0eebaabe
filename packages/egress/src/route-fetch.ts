import type { Socket } from 'node:net'
import { findProxy } from './find-proxy.ts'
import { openTunnel } from './open-tunnel.ts'
import type { Proxies } from './proxies.ts'

/**
 * Makes `fetch` of this process connect through the proxies, which resolve the names of the hosts.
 * Libraries that call `fetch` themselves are included. Without proxies, nothing is loaded.
 * @returns a function that restores direct connections
 */
export async function routeFetch(proxies: Proxies | null): Promise<() => Promise<void>> {
  if (proxies === null) return async () => {}
  const { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher } = await import('undici')
  const before = getGlobalDispatcher()
  const direct = buildConnector({})
  const agent = new Agent({
    connect(options, done) {
      const { protocol, hostname } = options
      const port = Number(options.port || (protocol === 'https:' ? 443 : 80))
      const proxy = findProxy(proxies, { protocol, hostname, port: String(port) })
      if (proxy === null) return direct(options, done)
      const host = hostname.replace(/^\[|\]$/g, '')
      const secured = protocol === 'https:' ? { host, ALPNProtocols: ['http/1.1'] } : null
      openTunnel({ proxy, host, port, tls: secured }).then(
        (socket: Socket) => done(null, socket),
        (error: Error) => done(error, null),
      )
    },
  })
  setGlobalDispatcher(agent)
  return async () => {
    setGlobalDispatcher(before)
    await agent.destroy()
  }
}
