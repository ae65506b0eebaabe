import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify'
import type { Authenticate } from '../auth/authenticate.ts'
import type { ApiDeps } from '../http/deps.ts'
import { agentSessionRoutes } from './agent-v1/agent-sessions.ts'
import { updateRoutes } from './deployments/updates.ts'
import { agentJobEventRoutes } from './events/agent-job-events.ts'
import { githubWebhookRoutes } from './github/github-webhook.ts'
import { agentJobChangeRoutes } from './jobs/agent-job-changes.ts'
import { agentJobMessageRoutes } from './jobs/agent-job-messages.ts'
import { agentJobTokenRoutes } from './jobs/agent-job-tokens.ts'
import { agentJobRoutes } from './jobs/agent-jobs.ts'
import { mcpRoutes } from './mcp/mcp.ts'
import { referenceRoutes } from './reference/reference.ts'
import { healthRoutes } from './service/health.ts'
import { meRoutes } from './service/me.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

/** The endpoints for programs: the API, its reference, health, MCP and incoming webhooks. */
export const publicRoutes: FastifyPluginAsync<{
  deps: ApiDeps
  authenticate: Authenticate
}> = async (app, options) => {
  const buildDocument = documentRoutes(app)
  await app.register(healthRoutes, options)
  await app.register(agentJobRoutes, options)
  await app.register(agentJobMessageRoutes, options)
  await app.register(mcpRoutes, options)
  await app.register(githubWebhookRoutes, options)
  await app.register(agentJobEventRoutes, options)
  await app.register(agentJobChangeRoutes, options)
  await app.register(agentJobTokenRoutes, options)
  await app.register(agentSessionRoutes, options)
  await app.register(meRoutes, options)
  await app.register(updateRoutes, options)
  await app.register(webhookRoutes, options)
  await app.register(referenceRoutes, { buildDocument })
}

/**
 * Collects the routes that are later added to this scope. The returned function builds the OpenAPI
 * document of these routes. It loads the library for that, which most processes never need.
 */
function documentRoutes(app: FastifyInstance): () => Promise<object> {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  return async () => {
    const { buildDocument } = await import('./openapi/build-document.ts')
    return buildDocument(routes)
  }
}
