import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate } from '../auth/authenticate.ts'
import type { ApiDeps } from '../http/deps.ts'
import { agentSessionRoutes } from './agent-v1/agent-sessions.ts'
import { updateRoutes } from './deployments/updates.ts'
import { agentJobEventRoutes } from './events/agent-job-events.ts'
import { githubWebhookRoutes } from './github/github-webhook.ts'
import { buildListWebhookSecrets } from './github/list-webhook-secrets.ts'
import { agentJobChangeRoutes } from './jobs/agent-job-changes.ts'
import { agentJobMessageRoutes } from './jobs/agent-job-messages.ts'
import { agentJobTokenRoutes } from './jobs/agent-job-tokens.ts'
import { agentJobRoutes } from './jobs/agent-jobs.ts'
import { deleteAgentJobRoutes } from './jobs/delete-agent-job.ts'
import { mcpRoutes } from './mcp/mcp.ts'
import { documentRoutes } from './openapi/document-routes.ts'
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
  await app.register(deleteAgentJobRoutes, options)
  await app.register(mcpRoutes, options)
  await app.register(githubWebhookRoutes, { ...options, listSecrets: buildListWebhookSecrets(options.deps) })
  await app.register(agentJobEventRoutes, options)
  await app.register(agentJobChangeRoutes, options)
  await app.register(agentJobTokenRoutes, options)
  await app.register(agentSessionRoutes, options)
  await app.register(meRoutes, options)
  await app.register(updateRoutes, options)
  await app.register(webhookRoutes, options)
  await app.register(referenceRoutes, { buildDocument })
}
