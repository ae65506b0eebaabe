import {
  CreatedWebhook,
  CreateWebhookRequest,
  ListDeliveriesQuery,
  RotatedWebhookSecret,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
} from '@corrigenda/contracts'
import {
  AppError,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
} from '@corrigenda/core'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string() })
const WebhookParams = z.object({ projectId: z.string(), id: z.string() })
const DeliveryParams = z.object({ projectId: z.string(), id: z.string(), deliveryId: z.string() })

/** Where a project's events are sent, and the log of what was sent. */
export const webhookRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const read = requireAccess(authenticate, 'jobs:read', 'owner')
  const write = requireAccess(authenticate, 'jobs:write', 'owner')
  const all = '/v1/project/:projectId/webhooks'
  const one = `${all}/:id`

  app.get(
    all,
    { onRequest: read, schema: { params: ProjectParams, response: { 200: WebhookPage } } },
    async (request) => ({ webhooks: await listWebhooks(deps, request.params.projectId) }),
  )

  app.post(
    all,
    {
      onRequest: write,
      schema: { params: ProjectParams, body: CreateWebhookRequest, response: { 201: CreatedWebhook } },
    },
    async (request, reply) => {
      const input = { projectId: request.params.projectId, ...request.body }
      return reply.code(201).send(await createWebhook(deps, input))
    },
  )

  app.get(one, { onRequest: read, schema: { params: WebhookParams, response: { 200: Webhook } } }, (request) =>
    getWebhook(deps, toWebhookKey(request.params)),
  )

  app.patch(
    one,
    { onRequest: write, schema: { params: WebhookParams, body: UpdateWebhookRequest, response: { 200: Webhook } } },
    (request) => updateWebhook(deps, { ...toWebhookKey(request.params), change: request.body }),
  )

  app.delete(
    one,
    { onRequest: write, schema: { params: WebhookParams, response: { 204: z.void() } } },
    async (request, reply) => {
      await deleteWebhook(deps, toWebhookKey(request.params))
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${one}/rotate-secret`,
    { onRequest: write, schema: { params: WebhookParams, response: { 200: RotatedWebhookSecret } } },
    (request) => rotateWebhookSecret(deps, toWebhookKey(request.params)),
  )

  app.post(
    `${one}/test`,
    { onRequest: write, schema: { params: WebhookParams, response: { 202: WebhookDelivery } } },
    async (request, reply) => reply.code(202).send(await sendTestEvent(deps, toWebhookKey(request.params))),
  )

  app.get(
    `${one}/deliveries`,
    {
      onRequest: read,
      schema: { params: WebhookParams, querystring: ListDeliveriesQuery, response: { 200: WebhookDeliveryPage } },
    },
    (request) => listDeliveries(deps, { ...toWebhookKey(request.params), ...request.query }),
  )

  app.post(
    `${one}/deliveries/:deliveryId/redeliver`,
    { onRequest: write, schema: { params: DeliveryParams, response: { 202: WebhookDelivery } } },
    async (request, reply) => {
      const { projectId, id: webhookId } = toWebhookKey(request.params)
      const deliveryId = toId(request.params.deliveryId, 'whd')
      return reply.code(202).send(await redeliver(deps, { projectId, webhookId, deliveryId }))
    },
  )
}

const toWebhookKey = ({ projectId, id }: { projectId: string; id: string }) => ({ projectId, id: toId(id, 'whe') })

/** Anything that cannot be an id of ours is a thing that does not exist. */
function toId(id: string, prefix: 'whe' | 'whd'): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw new AppError('not_found', 'Not found.')
  return id
}
