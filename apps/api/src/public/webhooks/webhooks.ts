import {
  CreatedWebhook,
  CreateWebhookRequest,
  ListDeliveriesQuery,
  RotatedWebhookSecret,
  UpdatedWebhook,
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
import { z } from 'zod'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { createdWebhook, delivery, pendingDelivery, webhook } from '../openapi/examples.ts'
import { DeliveryId, ProjectId, ProjectParams, WebhookId } from '../openapi/path-parameters.ts'

const WebhookParams = z.object({ projectId: ProjectId, id: WebhookId })
const DeliveryParams = z.object({ projectId: ProjectId, id: WebhookId, deliveryId: DeliveryId })

/** A project's webhooks and their delivery logs. */
export const webhookRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  const read = requireAccess(authenticate, 'jobs:read', { role: 'owner' })
  const write = requireAccess(authenticate, 'webhooks:write', { role: 'owner' })
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
        description: "Returns the project's webhooks, at most ten. Secrets are masked.",
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
        summary: 'Create a webhook',
        description:
          "Sends the project's future events to the URL, each at least once, signed according to Standard Webhooks. Without `events`, or with an empty list, every type is sent. The response contains the secret, which is not shown again. URLs in private networks are rejected unless the operator allows them.",
        scope: 'webhooks:write',
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
      return reply.code(201).send(await createWebhook(authenticate.audited(request), input))
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
        description: 'Returns the webhook, including when its deliveries started to fail and why it was disabled.',
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
        summary: 'Update a webhook',
        description:
          'Changes only the given fields. `"disabled": false` re-enables the webhook, regardless of why it was disabled. If the host of `url` changes, the response contains a new secret, which is not shown again, and the old secret is no longer used.',
        scope: 'webhooks:write',
        requestExamples: { enable: { value: { disabled: false } }, events: { value: { events: ['job.completed'] } } },
        answers: {
          200: {
            description: 'The updated webhook. `secret` is masked, unless the host changed.',
            examples: { enabled: { value: webhook } },
          },
        },
        params: WebhookParams,
        body: UpdateWebhookRequest,
        response: { 200: UpdatedWebhook },
      },
    },
    (request) =>
      updateWebhook(authenticate.audited(request), { ...toWebhookKey(request.params), change: request.body }),
  )

  app.delete(
    one,
    {
      onRequest: write,
      schema: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        summary: 'Delete a webhook',
        description: 'Stops all deliveries to the webhook and deletes its delivery log.',
        scope: 'webhooks:write',
        answers: { 204: { description: 'The webhook was deleted.' } },
        params: WebhookParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await deleteWebhook(authenticate.audited(request), toWebhookKey(request.params))
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
        summary: "Rotate a webhook's secret",
        description:
          'Returns a new secret, which is not shown again. Until `previousValidUntil`, deliveries are also signed with the old secret.',
        scope: 'webhooks:write',
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
    (request) => rotateWebhookSecret(authenticate.audited(request), toWebhookKey(request.params)),
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
          "Sends a `webhook.test` event to this webhook only. Read the webhook's deliveries to see the result.",
        scope: 'webhooks:write',
        answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
        errors: ['webhook_disabled'],
        params: WebhookParams,
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sendTestEvent(authenticate.audited(request), toWebhookKey(request.params))),
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
          "Returns a webhook's deliveries and the responses to them, newest first. `nextCursor` is null on the last page.",
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
        summary: 'Redeliver an event',
        description: 'Resends the event with the same `webhook-id`, regardless of the result of earlier attempts.',
        scope: 'webhooks:write',
        answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
        errors: ['webhook_disabled'],
        params: DeliveryParams,
        response: { 202: WebhookDelivery },
      },
    },
    async (request, reply) => {
      const { projectId, id: webhookId } = toWebhookKey(request.params)
      const deliveryId = toId(request.params.deliveryId, 'whd')
      return reply.code(202).send(await redeliver(authenticate.audited(request), { projectId, webhookId, deliveryId }))
    },
  )
}

const toWebhookKey = ({ projectId, id }: { projectId: string; id: string }) => ({ projectId, id: toId(id, 'whe') })

/** Validates an id. A malformed id is treated as an object that does not exist. */
function toId(id: string, prefix: 'whe' | 'whd'): string {
  if (!new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(id)) throw new AppError('not_found', 'Not found.')
  return id
}
