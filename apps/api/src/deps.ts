import type { CreateJobDeps, DatabaseMonitor, QuotaLimit } from '@corrigenda/core'
import type { EventHub } from './events/open-event-hub.ts'

/** What the routes need. */
export interface ApiDeps extends CreateJobDeps {
  readonly monitor: DatabaseMonitor
  /** The live event streams of this process. */
  readonly events: EventHub
  readonly messageQuota: QuotaLimit
  readonly keyPepper: Buffer
  /** Seals the signing secrets of webhooks. */
  readonly webhookKey: Buffer
  /** `host` or `host:port` that webhooks may reach though they are not public. */
  readonly allowedHookHosts: readonly string[]
  /** Requests per address and minute. */
  readonly edgeRateLimit: number
  readonly failedAuthRateLimit: number
  readonly trustProxy: boolean | string
  /** Null: webhooks of the Git host are not received. */
  readonly githubWebhookSecret: string | null
}
