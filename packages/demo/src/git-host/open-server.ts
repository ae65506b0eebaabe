import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Exchange, send } from './host/exchange.ts'
import type { HostState } from './host/host-state.ts'
import type { RecordedRequest } from './host/types.ts'
import { handlePage } from './pages/handle-page.ts'
import { handleRest, isRestPath, type RestDeps } from './rest.ts'
import type { RestChecks } from './rest-checks.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { actionsRoutes } from './routes/actions-routes.ts'
import { appRoutes } from './routes/app-routes.ts'
import { checkRoutes } from './routes/check-routes.ts'
import { contentRoutes } from './routes/content-routes.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { pullListRoutes } from './routes/pull-list-routes.ts'
import { pullWriteRoutes } from './routes/pull-write-routes.ts'
import { repositoryRoutes } from './routes/repository-routes.ts'
import type { RestRoutes } from './routes/rest-route.ts'
import { handleSmartHttp, isSmartHttpPath } from './smart-http.ts'

/** Every REST operation that the host serves. */
export const routes: RestRoutes = {
  ...accountRoutes,
  ...appRoutes,
  ...repositoryRoutes,
  ...pullListRoutes,
  ...pullWriteRoutes,
  ...issueRoutes,
  ...checkRoutes,
  ...actionsRoutes,
  ...contentRoutes,
}

/** Maximum number of recorded requests. Limits memory use in a long demo. */
const MAX_RECORDED = 50_000

/** Creates a host's HTTP server, which is not listening yet. `closing` aborts pending requests. */
export function openServer(state: HostState, closing: AbortSignal, checks?: RestChecks): Server {
  const rest: RestDeps = { state, routes, checks }
  return createServer((request, response) => {
    const exchange = toExchange(state, request, response, closing)
    dispatch(rest, exchange).catch((error: unknown) => {
      if (closing.aborted || response.destroyed) return
      const reason = error instanceof Error ? error.message : String(error)
      send(exchange, 500, `The local Git host failed: ${reason}\n`, { 'content-type': 'text/plain; charset=utf-8' })
    })
  })
}

function toExchange(
  state: HostState,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Exchange {
  const url = new URL(`${state.url}${(request.url ?? '/').replace(/^\/*/, '/')}`)
  const entry: RecordedRequest = {
    at: Date.now(),
    method: request.method ?? 'GET',
    path: url.pathname + url.search,
    op: 'unknown',
    status: 0,
  }
  state.requests.push(entry)
  if (state.requests.length > MAX_RECORDED) state.requests.shift()
  return { request, response, url, entry, closing }
}

function dispatch(rest: RestDeps, exchange: Exchange): Promise<void> {
  const { pathname } = exchange.url
  if (isRestPath(pathname)) return handleRest(rest, exchange)
  if (isSmartHttpPath(pathname)) return handleSmartHttp(rest.state, exchange)
  return handlePage(rest.state, exchange)
}
