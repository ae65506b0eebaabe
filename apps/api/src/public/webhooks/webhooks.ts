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
import { AppError } from '@corrigenda/core/base'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
} from '@corrigenda/core/webhooks'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { createdWebhook, delivery, pendingDelivery, webhook } from '../openapi/examples.ts'
import { DeliveryId, ProjectId, ProjectParams, WebhookId } from '../openapi/path-parameters.ts'

const WebhookParams = z.object({ projectId: ProjectId, id: WebhookId })
const DeliveryParams = z.object({ projectId: ProjectId, id: WebhookId, deliveryId: DeliveryId })

/** The webhook endpoints of a project, and the log of deliveries. */
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
    {
      onRequest: read,
      schema: {
        operationId: 'listWebhooks',
        tags: ['Webhooks'],
        summary: 'List webhooks',
        description: 'Every webhook of the project, at most ten. Secrets are masked.',
        scope: 'jobs:read',
        answers: { 200: { description: 'The webhooks.', examples: { one: { value: { webhooks: [webhook] } } } } },
        params: ProjectParams,
        response: { 200: WebhookPage },
      },
    },
    async (request) => ({ webhooks: await listWebhooks(deps, request.params.projectId) }),
  )

  app.post(
    all,
    {
      onRequest: write,
      schema: {
        operationId: 'createWebhook',
        tags: ['Webhooks'],
        summary: 'Add a webhook',
        description:
          'From now on events of the project are posted to the URL, signed as Standard Webhooks describes, at least once each. No `events`, or an empty list, means every type. The answer holds the secret, this once. Addresses of private networks are refused unless the operator allows them.',
        scope: 'jobs:write',
        requestExamples: {
          ended: { value: { url: createdWebhook.url, description: 'Release bot', events: createdWebhook.events } },
        },
        answers: {
          201: { description: 'The webhook and its secret.', examples: { created: { value: createdWebhook } } },
        },
        errors: ['webhook_limit'],
        params: ProjectParams,
        body: CreateWebhookRequest,
        response: { 201: CreatedWebhook },
      },
    },
    async (request, reply) => {
      const input = { projectId: request.params.projectId, ...request.body }
      return reply.code(201).send(await createWebhook(deps, input))
    },
  )

  app.get(
    one,
    {
      onRequest: read,
      schema: {
        operationId: 'getWebhook',
        tags: ['Webhooks'],
        summary: 'Read a webhook',
        description: 'Says also since when deliveries fail, and why it was disabled.',
        scope: 'jobs:read',
        answers: { 200: { description: 'The webhook.', examples: { enabled: { value: webhook } } } },
        params: WebhookParams,
        response: { 200: Webhook },
      },
    },
    (request) => getWebhook(deps, toWebhookKey(request.params)),
  )

  app.patch(
    one,
    {
      onRequest: write,
      schema: {
        operationId: 'updateWebhook',
        tags: ['Webhooks'],
        summary: 'Change a webhook',
        description: 'Only what is named changes. `"disabled": false` enables it again, whatever disabled it.',
        scope: 'jobs:write',
        requestExamples: { enable: { value: { disabled: false } }, events: { value: { events: ['job.completed'] } } },
        answers: { 200: { description: 'The webhook, changed.', examples: { enabled: { value: webhook } } } },
        params: WebhookParams,
        body: UpdateWebhookRequest,
        response: { 200: Webhook },
      },
    },
    (request) => updateWebhook(deps, { ...toWebhookKey(request.params), change: request.body }),
  )

  app.delete(
    one,
    {
      onRequest: write,
      schema: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        summary: 'Remove a webhook',
        description: 'Nothing is sent to it any more, and its log is gone.',
        scope: 'jobs:write',
        answers: { 204: { description: 'It is removed.' } },
        params: WebhookParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await deleteWebhook(deps, toWebhookKey(request.params))
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${one}/rotate-secret`,
    {
      onRequest: write,
      schema: {
        operationId: 'rotateWebhookSecret',
        tags: ['Webhooks'],
        summary: 'Change the secret of a webhook',
        description:
          'Answers a new secret, this once. Until `previousValidUntil` deliveries carry a signature of the old one as well.',
        scope: 'jobs:write',
        answers: {
          200: {
            description: 'The new secret.',
            examples: {
              rotated: {
                value: {
                  id: webhook.id,
                  secret: createdWebhook.secret,
                  previousValidUntil: '2026-02-01T12:00:00.000Z',
                },
              },
            },
          },
        },
        params: WebhookParams,
        response: { 200: RotatedWebhookSecret },
      },
    },
    (request) => rotateWebhookSecret(deps, toWebhookKey(request.params)),
  )

  app.post(
    `${one}/test`,
    {
      onRequest: write,
      schema: {
        operationId: 'testWebhook',
        tags: ['Webhooks'],
        summary: 'Send a test event',
        description:
          'Delivers an event of the type `webhook.test` to this webhook alone. Read its deliveries to see how it went.',
        scope: 'jobs:write',
        answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
        errors: ['webhook_disabled'],
        params: WebhookParams,
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => reply.code(202).send(await sendTestEvent(deps, toWebhookKey(request.params))),
  )

  app.get(
    `${one}/deliveries`,
    {
      onRequest: read,
      schema: {
        operationId: 'listWebhookDeliveries',
        tags: ['Webhooks'],
        summary: 'List deliveries',
        description:
          'What was sent to a webhook and what it answered, newest first. `nextCursor` is null on the last page.',
        scope: 'jobs:read',
        answers: {
          200: {
            description: 'A page of deliveries.',
            examples: { page: { value: { deliveries: [delivery], nextCursor: null } } },
          },
        },
        params: WebhookParams,
        querystring: ListDeliveriesQuery,
        response: { 200: WebhookDeliveryPage },
      },
    },
    (request) => listDeliveries(deps, { ...toWebhookKey(request.params), ...request.query }),
  )

  app.post(
    `${one}/deliveries/:deliveryId/redeliver`,
    {
      onRequest: write,
      schema: {
        operationId: 'redeliverWebhook',
        tags: ['Webhooks'],
        summary: 'Deliver an event again',
        description: 'Sends the same event with the same `webhook-id` again, whatever became of it before.',
        scope: 'jobs:write',
        answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
        errors: ['webhook_disabled'],
        params: DeliveryParams,
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const { projectId, id: webhookId } = toWebhookKey(request.params)
      const deliveryId = toId(request.params.deliveryId, 'whd')
      return reply.code(202).send(await redeliver(deps, { projectId, webhookId, deliveryId }))
    },
  )
}

const toWebhookKey = ({ projectId, id }: { projectId: string; id: string }) => ({ projectId, id: toId(id, 'whe') })

/** Validates an id. A malformed id is treated as an object that does not exist. */
function toId(id: string, prefix: 'whe' | 'whd'): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw new AppError('not_found', 'Not found.')
  return id
}
