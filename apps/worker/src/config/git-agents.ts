import { buildAgents, type Proxies } from '@corrigenda/egress'
import type { GitAgents } from '@corrigenda/git/http'

/** Builds the agents of Git requests. Undefined without proxies: `packages/git` has its own agents. */
export function toGitAgents(proxies: Proxies | null): GitAgents | undefined {
  return proxies === null ? undefined : buildAgents(proxies, { keepAlive: true, maxSockets: 16, maxFreeSockets: 4 })
}
