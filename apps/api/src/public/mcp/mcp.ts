import { AppError, VERSION } from '@corrigenda/core/base'
import type { FastifyPluginAsync } from 'fastify'
import { refuseAddress } from '../../auth/access.ts'
import { type Authenticate, toKeyAudit } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { setStreamHeaders } from '../events/stream-events.ts'

/**
 * Maximum number of calls in one request. Protocol revisions before 2025-06-18 allow batches of any
 * length, which the rate limit per IP address would count as one request.
 */
const MAX_BATCH = 10

/**
 * Serves the Model Context Protocol over Streamable HTTP at one path, with the same keys as the
 * API. The endpoint is stateless, so any replica can respond to any request.
 */
export const mcpRoutes: FastifyPluginAsync<{
  deps: ApiDeps
  authenticate: Authenticate
}> = async (app, { deps, authenticate }) => {
  // A tool can wait for a job for longer than a request may wait for the database.
  app.post('/mcp', { config: { database: 'handler' }, schema: { hide: true } }, async (request, reply) => {
    const principal = await deps.monitor.run(() => authenticate.key(request))
    refuseAddress(request, principal)
    if (Array.isArray(request.body) && request.body.length > MAX_BATCH) {
      throw new AppError('invalid_request', `Send at most ${MAX_BATCH} calls in one request.`)
    }
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    // Loaded at the first request, because most callers use the HTTP API.
    const { answerMcp } = await import('./build-mcp-server.ts')
    const { status, type, body } = await answerMcp(deps, {
      principal,
      audit: toKeyAudit(request, principal),
      version: VERSION,
      signal: disconnected.signal,
      onWait: () => request.detach(),
      headers: request.headers,
      body: request.body,
    })
    if (type) reply.header('content-type', type)
    // Proxies must not buffer or compress a stream.
    if (typeof body !== 'string') setStreamHeaders(reply)
    return reply.code(status).serializer(String).send(body)
  })
}
