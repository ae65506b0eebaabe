import type {
  CreatedWebhook,
  RotatedWebhookSecret,
  UpdatedWebhook,
  UpdateWebhookRequest,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEventType,
  WebhookPage,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const toPath = (projectId: string, ...parts: readonly string[]) =>
  ['/v1/project', ...[projectId, 'webhooks', ...parts].map(encodeURIComponent)].join('/')

/** A project's webhook endpoints. */
export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'webhooks'],
    queryFn: async ({ signal }) => (await request<WebhookPage>(toPath(projectId), { signal })).webhooks,
  })

/** The last 20 deliveries to an endpoint, newest first. Polls more often while one is pending. */
export const deliveriesQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'webhooks', webhookId, 'deliveries'],
    queryFn: async ({ signal }) =>
      (await request<WebhookDeliveryPage>(toPath(projectId, webhookId, 'deliveries'), { signal })).deliveries,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? 1_000 : 15_000),
  })

export const createWebhook = (
  projectId: string,
  body: { url: string; description: string; events: readonly WebhookEventType[] },
) => request<CreatedWebhook>(toPath(projectId), { method: 'POST', body })

export const updateWebhook = (projectId: string, id: string, body: UpdateWebhookRequest) =>
  request<UpdatedWebhook>(toPath(projectId, id), { method: 'PATCH', body })

export const deleteWebhook = (projectId: string, id: string) =>
  request<void>(toPath(projectId, id), { method: 'DELETE' })

export const rotateWebhookSecret = (projectId: string, id: string) =>
  request<RotatedWebhookSecret>(toPath(projectId, id, 'rotate-secret'), { method: 'POST' })

export const sendTestEvent = (projectId: string, id: string) =>
  request<WebhookDelivery>(toPath(projectId, id, 'test'), { method: 'POST' })

export const redeliver = (projectId: string, id: string, deliveryId: string) =>
  request<WebhookDelivery>(toPath(projectId, id, 'deliveries', deliveryId, 'redeliver'), { method: 'POST' })
