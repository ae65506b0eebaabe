import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { AuditEvent } from './audit-event.ts'
import { Deployment } from './deployment.ts'
import { MonthlySpend } from './monthly-spend.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** Types of project events that an endpoint can receive. */
export const WebhookEventType = z.enum([
  'job.created',
  'job.completed',
  'job.failed',
  'job.archived',
  'pull_request.updated',
  'pull_request.commented',
  'pull_request.changes_requested',
  'deployment.finished',
  'webhook.disabled',
  'budget.warning',
  'audit.event',
])
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** Maximum number of endpoints per project. */
export const MAX_WEBHOOKS = 10

/** A signing secret in the Standard Webhooks format: `whsec_` followed by 24 to 64 bytes in base64. */
export const WebhookSecret = z
  .string()
  .refine((text) => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text) && (text.length - 6) % 4 === 0, {
    message: 'must be whsec_ followed by 24 to 64 bytes in base64',
  })

const url = z.string().min(1).max(2000)
const description = z
  .string()
  .max(200)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
    message: 'must be one line of well-formed text without control characters',
  })
const events = z.array(WebhookEventType).max(50)

/**
 * Body of POST /v1/project/{projectId}/webhooks. A missing or empty `events` list means every type,
 * including future ones, except `audit.event`.
 */
export const CreateWebhookRequest = z.object({
  url,
  description: description.default(''),
  events: events.default([]),
})
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>

/**
 * Body of PATCH …/webhooks/{id}. Changes only the given fields. `disabled: false` re-enables an
 * endpoint, regardless of why it was disabled.
 */
export const UpdateWebhookRequest = z.object({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
  disabled: z.boolean().optional(),
})
export type UpdateWebhookRequest = z.infer<typeof UpdateWebhookRequest>

/**
 * An endpoint that receives a project's events. An endpoint is disabled by a user (`manual`),
 * because it responded with 410 (`gone`), or after three days without a successful delivery
 * (`failing`). `failingSince` is the time of the first failed attempt since the last successful
 * one.
 */
export const Webhook = z.object({
  id: z.string(),
  projectId: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  /**
   * Masked. The secret is returned only when the webhook is created, its secret is rotated, or its URL
   * moves to another host.
   */
  secret: z.literal('whsec_********'),
  failingSince: timestamp.nullable(),
  disabledAt: timestamp.nullable(),
  disabledReason: z.enum(['manual', 'gone', 'failing']).nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Webhook = z.infer<typeof Webhook>

/**
 * Response to the request that creates an endpoint. Contains the secret, which is not returned
 * again: `whsec_` followed by base64, in the Standard Webhooks format.
 */
export const CreatedWebhook = Webhook.extend({ secret: z.string() })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

/**
 * Response to the request that updates an endpoint. The secret is masked, unless the URL's host
 * changed: then it is a new secret, which is not returned again.
 */
export const UpdatedWebhook = Webhook.extend({ secret: z.string() })
export type UpdatedWebhook = z.infer<typeof UpdatedWebhook>

/**
 * Response to a secret rotation. Until `previousValidUntil`, deliveries are also signed with the
 * old secret.
 */
export const RotatedWebhookSecret = z.object({ id: z.string(), secret: z.string(), previousValidUntil: timestamp })
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>

export const WebhookPage = z.object({ webhooks: z.array(Webhook) })
export type WebhookPage = z.infer<typeof WebhookPage>

/**
 * One delivery attempt. Exactly one of `status` (the response status) and `error` (why no response
 * was received) is set.
 */
export const WebhookAttempt = z.object({
  attempt: z.number().int().positive(),
  createdAt: timestamp,
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  ms: z.number().int().nonnegative(),
  /** The first 1 KiB of the response body. */
  answer: z.string(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/**
 * Delivery of one event to one endpoint. `eventId` is sent as `webhook-id`, which is the same for
 * all attempts.
 */
export const WebhookDelivery = z.object({
  id: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  /** Null once the delivery has ended. */
  nextAttemptAt: timestamp.nullable(),
  lastStatus: z.number().int().nullable(),
  lastError: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
  attempts: z.array(WebhookAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Query parameters of GET …/webhooks/{id}/deliveries. */
export const ListDeliveriesQuery = z.object({
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
})
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>

/** A page of deliveries, newest first. `nextCursor` is null on the last page. */
export const WebhookDeliveryPage = z.object({
  deliveries: z.array(WebhookDelivery),
  nextCursor: z.string().nullable(),
})
export type WebhookDeliveryPage = z.infer<typeof WebhookDeliveryPage>

const JOB_WEBHOOK_TYPES = [
  'job.created',
  'job.completed',
  'job.failed',
  'job.archived',
  'pull_request.updated',
  'pull_request.commented',
  'pull_request.changes_requested',
] as const satisfies readonly WebhookEventType[]

/** Payload of a job event. `data.job` is the job as returned by GET …/job/{id} at that time. */
export const JobWebhookPayload = z.object({
  type: z.enum(JOB_WEBHOOK_TYPES),
  timestamp,
  data: z.object({ job: AgentJob }),
})
export type JobWebhookPayload = z.infer<typeof JobWebhookPayload>

/** Payload of `deployment.finished`. */
export const DeploymentWebhookPayload = z.object({
  type: z.literal('deployment.finished'),
  timestamp,
  data: z.object({ deployment: Deployment }),
})
export type DeploymentWebhookPayload = z.infer<typeof DeploymentWebhookPayload>

/**
 * Payload of `webhook.disabled`, which is sent when another of the project's endpoints is disabled.
 * Contains only that endpoint's host, because its path may contain a secret.
 */
export const DisabledWebhookPayload = z.object({
  type: z.literal('webhook.disabled'),
  timestamp,
  data: z.object({
    webhook: z.object({
      id: z.string(),
      host: z.string(),
      disabledAt: timestamp,
      reason: z.enum(['gone', 'failing']),
    }),
  }),
})
export type DisabledWebhookPayload = z.infer<typeof DisabledWebhookPayload>

/** Payload of `budget.warning`, which is sent once per month at 80% of the project's budget. */
export const BudgetWarningPayload = z.object({
  type: z.literal('budget.warning'),
  timestamp,
  data: z.object({ budget: MonthlySpend.extend({ projectId: z.string(), budgetUsd: z.number() }) }),
})
export type BudgetWarningPayload = z.infer<typeof BudgetWarningPayload>

/** Payload of `audit.event`, which only endpoints that list it in `events` receive. */
export const AuditEventPayload = z.object({
  type: z.literal('audit.event'),
  timestamp,
  data: z.object({ auditEvent: AuditEvent }),
})
export type AuditEventPayload = z.infer<typeof AuditEventPayload>

/** Payload of `webhook.test`, which is sent on request. */
export const TestWebhookPayload = z.object({
  type: z.literal('webhook.test'),
  timestamp,
  data: z.object({ webhook: z.object({ id: z.string() }), message: z.string() }),
})
export type TestWebhookPayload = z.infer<typeof TestWebhookPayload>

/** The type and the data of an event, as in its payload. */
export type WebhookEvent = {
  [Payload in
    | JobWebhookPayload
    | DeploymentWebhookPayload
    | DisabledWebhookPayload
    | BudgetWarningPayload
    | AuditEventPayload
    | TestWebhookPayload as Payload['type']]: Pick<Payload, 'type' | 'data'>
}[WebhookEventType | 'webhook.test']
