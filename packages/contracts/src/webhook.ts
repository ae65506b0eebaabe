import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { Deployment } from './deployment.ts'
import type { JobEventType } from './job-event.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** What happens in a project and can be told to an endpoint. */
export const WebhookEventType = z.enum([
  'job.created',
  'job.completed',
  'job.failed',
  'job.archived',
  'pull_request.updated',
  'deployment.finished',
  'webhook.disabled',
])
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** Endpoints per project. */
export const MAX_WEBHOOKS = 10

const url = z.string().min(1).max(2000)
const description = z
  .string()
  .max(200)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
    message: 'must be one line of well-formed text without control characters',
  })
const events = z.array(WebhookEventType).max(50)

/** Body of POST /v1/project/{projectId}/webhooks. No `events`, or an empty list, means every type, future ones too. */
export const CreateWebhookRequest = z.object({
  url,
  description: description.default(''),
  events: events.default([]),
})
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>

/** Body of PATCH …/webhooks/{id}: only what is named changes. `disabled: false` enables an endpoint again, whatever disabled it. */
export const UpdateWebhookRequest = z.object({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
  disabled: z.boolean().optional(),
})
export type UpdateWebhookRequest = z.infer<typeof UpdateWebhookRequest>

/**
 * Where events of a project are sent. `disabledReason` says who stopped it: its owner (`manual`), its own answer 410 (`gone`), or three days without
 * one success (`failing`). `failingSince` is the first failed attempt since the last success.
 */
export const Webhook = z.object({
  id: z.string(),
  projectId: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  /** Never the secret: it was answered when it was made. */
  secret: z.literal('whsec_********'),
  failingSince: timestamp.nullable(),
  disabledAt: timestamp.nullable(),
  disabledReason: z.enum(['manual', 'gone', 'failing']).nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Webhook = z.infer<typeof Webhook>

/** The answer to creating an endpoint, with the secret this once: `whsec_` and base64, as Standard Webhooks writes it. */
export const CreatedWebhook = Webhook.extend({ secret: z.string() })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

/** The answer to a rotation. Until `previousValidUntil` deliveries carry a signature of the old secret as well. */
export const RotatedWebhookSecret = z.object({ id: z.string(), secret: z.string(), previousValidUntil: timestamp })
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>

export const WebhookPage = z.object({ webhooks: z.array(Webhook) })
export type WebhookPage = z.infer<typeof WebhookPage>

/** One request of a delivery. Exactly one of `status` (what was answered) and `error` (why there was no answer) is set. */
export const WebhookAttempt = z.object({
  attempt: z.number().int().positive(),
  createdAt: timestamp,
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  ms: z.number().int().nonnegative(),
  /** The first 1 KiB. */
  answer: z.string(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** One event on its way to one endpoint. `eventId` is what receivers see as `webhook-id`; it stays the same over all attempts. */
export const WebhookDelivery = z.object({
  id: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  /** Null once it has ended. */
  nextAttemptAt: timestamp.nullable(),
  lastStatus: z.number().int().nullable(),
  lastError: z.string().nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
  attempts: z.array(WebhookAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Query of GET …/webhooks/{id}/deliveries. */
export const ListDeliveriesQuery = z.object({
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
})
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>

/** Newest first. `nextCursor` is null on the last page. */
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
] as const satisfies readonly (JobEventType & WebhookEventType)[]

/** The body of a delivery about a job: `data.job` is what GET …/job/{id} answered at that moment. */
export const JobWebhookPayload = z.object({
  type: z.enum(JOB_WEBHOOK_TYPES),
  timestamp,
  data: z.object({ job: AgentJob }),
})
export type JobWebhookPayload = z.infer<typeof JobWebhookPayload>

/** The body of `deployment.finished`. */
export const DeploymentWebhookPayload = z.object({
  type: z.literal('deployment.finished'),
  timestamp,
  data: z.object({ deployment: Deployment }),
})
export type DeploymentWebhookPayload = z.infer<typeof DeploymentWebhookPayload>

/** The body of `webhook.disabled`: another endpoint of the project was given up. Only its host is named, since paths may hold secrets. */
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

/** The body of `webhook.test`, which is sent when somebody asks for it. */
export const TestWebhookPayload = z.object({
  type: z.literal('webhook.test'),
  timestamp,
  data: z.object({ webhook: z.object({ id: z.string() }), message: z.string() }),
})
export type TestWebhookPayload = z.infer<typeof TestWebhookPayload>
