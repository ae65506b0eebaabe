import { createdWebhook, delivery, pendingDelivery, webhook } from '../examples.ts'
import type { OperationDocs } from '../operation-doc.ts'

const ALL = '/v1/project/{projectId}/webhooks'

export const webhookDocs: OperationDocs = {
  [`GET ${ALL}`]: {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Every webhook of the project, at most ten. Secrets are masked.',
    scope: 'jobs:read',
    answers: { 200: { description: 'The webhooks.', examples: { one: { value: { webhooks: [webhook] } } } } },
  },
  [`POST ${ALL}`]: {
    operationId: 'createWebhook',
    tag: 'Webhooks',
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
  },
  [`GET ${ALL}/{id}`]: {
    operationId: 'getWebhook',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    description: 'Says also since when deliveries fail, and why it was disabled.',
    scope: 'jobs:read',
    answers: { 200: { description: 'The webhook.', examples: { enabled: { value: webhook } } } },
  },
  [`PATCH ${ALL}/{id}`]: {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description: 'Only what is named changes. `"disabled": false` enables it again, whatever disabled it.',
    scope: 'jobs:write',
    requestExamples: { enable: { value: { disabled: false } }, events: { value: { events: ['job.completed'] } } },
    answers: { 200: { description: 'The webhook, changed.', examples: { enabled: { value: webhook } } } },
  },
  [`DELETE ${ALL}/{id}`]: {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Remove a webhook',
    description: 'Nothing is sent to it any more, and its log is gone.',
    scope: 'jobs:write',
    answers: { 204: { description: 'It is removed.' } },
  },
  [`POST ${ALL}/{id}/rotate-secret`]: {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Change the secret of a webhook',
    description:
      'Answers a new secret, this once. Until `previousValidUntil` deliveries carry a signature of the old one as well.',
    scope: 'jobs:write',
    answers: {
      200: {
        description: 'The new secret.',
        examples: {
          rotated: {
            value: { id: webhook.id, secret: createdWebhook.secret, previousValidUntil: '2026-02-01T12:00:00.000Z' },
          },
        },
      },
    },
  },
  [`POST ${ALL}/{id}/test`]: {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Delivers an event of the type `webhook.test` to this webhook alone. Read its deliveries to see how it went.',
    scope: 'jobs:write',
    answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
    errors: ['webhook_disabled'],
  },
  [`GET ${ALL}/{id}/deliveries`]: {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
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
  },
  [`POST ${ALL}/{id}/deliveries/{deliveryId}/redeliver`]: {
    operationId: 'redeliverWebhook',
    tag: 'Webhooks',
    summary: 'Deliver an event again',
    description: 'Sends the same event with the same `webhook-id` again, whatever became of it before.',
    scope: 'jobs:write',
    answers: { 202: { description: 'The delivery.', examples: { pending: { value: pendingDelivery } } } },
    errors: ['webhook_disabled'],
  },
}
