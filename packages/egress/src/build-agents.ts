import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { findProxy } from './find-proxy.ts'
import { openTunnel } from './open-tunnel.ts'
import type { Proxies } from './proxies.ts'

/** Connection pools for the two schemes. */
export interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

type OnCreated = (error: Error | null, socket: Duplex) => void
type Create = (options: http.ClientRequestArgs, done?: OnCreated) => Duplex | null | undefined

/** Builds agents that connect through the proxies. The proxies resolve the names of the hosts. */
export function buildAgents(proxies: Proxies | null, options: https.AgentOptions): Agents {
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  if (proxies === null) return agents
  for (const [scheme, agent] of Object.entries(agents)) {
    const direct: Create = agent.createConnection.bind(agent)
    const create: Create = (given, done) => {
      const host = given.host ?? 'localhost'
      const port = Number(given.port ?? given.defaultPort)
      const proxy = findProxy(proxies, { protocol: `${scheme}:`, hostname: host, port: String(port) })
      if (proxy === null || done === undefined) return direct(given, done)
      const secured = scheme === 'https' ? { ...toTlsOptions(given), host } : null
      openTunnel({ proxy, host, port, tls: secured }).then(
        (socket) => done(null, socket),
        done as (error: Error) => void,
      )
      return undefined
    }
    agent.createConnection = create
  }
  return agents
}

/** Drops the fields that describe the direct connection. */
function toTlsOptions({ path: _path, socketPath: _socketPath, ...options }: http.ClientRequestArgs): object {
  return options
}
