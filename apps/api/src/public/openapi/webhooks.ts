import {
  AuditEventPayload,
  BudgetWarningPayload,
  DeploymentWebhookPayload,
  DisabledWebhookPayload,
  JobWebhookPayload,
  TestWebhookPayload,
  type WebhookEventType,
} from '@corrigenda/contracts'
import { z } from 'zod'
import { archivedJob, completedJob, deployment, failedJob, queuedJob } from './examples.ts'
import { toJsonSchema } from './json-schema.ts'
import type { Parameter, WebhookOperation } from './openapi.ts'

interface WebhookDoc {
  readonly operationId: string
  readonly summary: string
  readonly schema: z.ZodType
  readonly data: unknown
}

type JobEventType = z.infer<typeof JobWebhookPayload>['type']

/** Builds the schema of one job event. All types have the same shape except for the type name. */
const ofJob = (type: JobEventType): z.ZodType => JobWebhookPayload.extend({ type: z.literal(type) })

const mergedJob = {
  ...completedJob,
  pullRequest: completedJob.pullRequest && { ...completedJob.pullRequest, state: 'merged' as const },
}

/** A project's webhook payloads, by type. */
const DOCS: Readonly<Record<WebhookEventType | 'webhook.test', WebhookDoc>> = {
  'job.created': {
    operationId: 'onJobCreated',
    summary: 'A job was accepted',
    schema: ofJob('job.created'),
    data: { job: queuedJob },
  },
  'job.completed': {
    operationId: 'onJobCompleted',
    summary: 'A job ended with a pull request, without changes, or with a question',
    schema: ofJob('job.completed'),
    data: { job: completedJob },
  },
  'job.failed': {
    operationId: 'onJobFailed',
    summary: 'A job failed or was cancelled',
    schema: ofJob('job.failed'),
    data: { job: failedJob },
  },
  'job.archived': {
    operationId: 'onJobArchived',
    summary: 'A job was archived',
    schema: ofJob('job.archived'),
    data: { job: archivedJob },
  },
  'pull_request.updated': {
    operationId: 'onPullRequestUpdated',
    summary: "A job's pull request was merged, closed or reopened, or its checks changed",
    schema: ofJob('pull_request.updated'),
    data: { job: mergedJob },
  },
  'pull_request.commented': {
    operationId: 'onPullRequestCommented',
    summary: "A comment on a job's pull request addresses the agent",
    schema: ofJob('pull_request.commented'),
    data: { job: completedJob },
  },
  'pull_request.changes_requested': {
    operationId: 'onPullRequestChangesRequested',
    summary: "A review of a job's pull request requested changes",
    schema: ofJob('pull_request.changes_requested'),
    data: { job: completedJob },
  },
  'deployment.finished': {
    operationId: 'onDeploymentFinished',
    summary: 'A documentation deployment ended',
    schema: DeploymentWebhookPayload,
    data: { deployment },
  },
  'webhook.disabled': {
    operationId: 'onWebhookDisabled',
    summary: 'Another webhook in the project was disabled',
    schema: DisabledWebhookPayload,
    data: {
      webhook: {
        id: 'whe_01kgs3v2n8q4r6t8w0y2a4c6e8',
        host: 'hooks.example.com',
        disabledAt: '2026-01-31T12:00:00.000Z',
        reason: 'gone',
      },
    },
  },
  'budget.warning': {
    operationId: 'onBudgetWarning',
    summary: 'The project has spent 80% of its monthly budget',
    schema: BudgetWarningPayload,
    data: {
      budget: {
        projectId: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8',
        month: '2026-01',
        spentUsd: 40.25,
        budgetUsd: 50,
        endsAt: '2026-02-01T00:00:00.000Z',
      },
    },
  },
  'audit.event': {
    operationId: 'onAuditEvent',
    summary: 'An action was recorded in the audit log (only for webhooks that list this type)',
    schema: AuditEventPayload,
    data: {
      auditEvent: {
        id: 'aud_01kgs3v2n8q4r6t8w0y2a4c6e8',
        createdAt: '2026-01-31T12:00:00.000Z',
        action: 'key.revoked',
        actor: { type: 'user', id: 'usr_01kgs3v2n8q4r6t8w0y2a4c6e8', name: 'Ada' },
        ipAddress: '203.0.113.7',
        requestId: 'req-1f',
        projectId: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8',
        target: { type: 'key', id: 'a1b2c3d4e5f6', name: 'release-bot' },
        before: null,
        after: null,
      },
    },
  },
  'webhook.test': {
    operationId: 'onWebhookTest',
    summary: 'A test event was requested',
    schema: TestWebhookPayload,
    data: { webhook: { id: 'whe_01kgs3v2n8q4r6t8w0y2a4c6e8' }, message: 'This is a test event.' },
  },
}

const DESCRIPTION =
  'Delivered at least once, in no guaranteed order. Discard duplicates by their `webhook-id`. Verify the signature over the raw body before you parse it. New types and fields may be added at any time.'

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
})

const HEADERS: readonly Parameter[] = [
  header('webhook-id', 'Id of the event, which is the same in every attempt.', 'evt_01kgs3v2n8q4r6t8w0y2a4c6e8'),
  header('webhook-timestamp', 'Time of this attempt, as a Unix timestamp in seconds.', '1769860869'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`. One signature per valid secret, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/**
 * Returns the `webhooks` section of the document, which describes requests that the service sends.
 */
export function describeWebhooks(): Record<string, { readonly post: WebhookOperation }> {
  const timestamp = '2026-01-31T12:01:09.055Z'
  return Object.fromEntries(
    Object.entries(DOCS).map(([type, { operationId, summary, schema, data }]) => [
      type,
      {
        post: {
          operationId,
          summary,
          description: DESCRIPTION,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: toJsonSchema(schema),
                examples: { event: { value: { type, timestamp, data } } },
              },
            },
          },
          responses: {
            '2XX': { description: 'Delivered. Respond within 15 seconds and process the event afterwards.' },
            '410': { description: 'Disables the webhook. No further events are sent to it.' },
            default: {
              description:
                'After any other response, or if no response arrives, delivery is retried, with up to eight attempts over about a day.',
            },
          },
        },
      },
    ]),
  )
}
