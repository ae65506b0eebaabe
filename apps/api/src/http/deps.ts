import type { AllowedHosts } from '@corrigenda/contracts'
import type { AuditContext } from '@corrigenda/core/audit'
import type { Database, DatabaseMonitor } from '@corrigenda/core/db'
import type { SealingKey } from '@corrigenda/core/instance'
import type { CreateJobDeps, QuotaLimit } from '@corrigenda/core/jobs'
import type { Histogram } from '@corrigenda/core/metrics'
import type { QueueBoard, RunQueue } from '@corrigenda/core/queue'
import type { TrustedProxies } from '@corrigenda/core/runtime'
import type { Tracer } from '@corrigenda/core/tracing'
import type { EventHub } from '../event-hub/open-event-hub.ts'
import type { SignInConfig } from './config.ts'

/** Dependencies for the routes. */
export interface ApiDeps extends CreateJobDeps, Pick<Database, 'pool'> {
  readonly queue: RunQueue
  /** Data for the admins' queue board. Null: no board is served. */
  readonly board: QueueBoard | null
  readonly monitor: DatabaseMonitor
  /** Connections for searches only. */
  readonly search: Pick<Database, 'prisma'>
  /** A connection for readiness checks, which other requests cannot exhaust. */
  readonly probe: Pick<Database, 'pool'>
  /** The live event streams of this process. */
  readonly events: EventHub
  readonly messageQuota: QuotaLimit
  readonly keyPepper: Buffer
  /**
   * Key for user sessions, invitations and the setup token. Changes when a rotation activates the new
   * secret.
   */
  readonly authKey: Buffer
  /** Also accepted, during a rotation of the service secret. */
  readonly otherAuthKey: Buffer | null
  /** Public URL of the service for browsers, without a trailing slash. */
  readonly publicUrl: string
  readonly signIn: SignInConfig
  /** Signs visitors on the same machine in to the demo account automatically. */
  readonly demoSignIn: boolean
  /**
   * Connects the demo to a real model with an Anthropic API key. Null outside of the demo, and after
   * a model was connected.
   * @throws AppError `invalid_request` if the model API does not accept the key
   */
  readonly connectModel: ((apiKey: string) => Promise<void>) | null
  /** Allowed repository hosts. */
  readonly allowedRepositoryHosts: AllowedHosts
  /** Encrypts webhook signing secrets. */
  readonly webhookKey: SealingKey
  /** Encrypts deploy targets. */
  readonly deployTargetKey: SealingKey
  /** Encrypts credentials for the Git host. */
  readonly credentialKey: SealingKey
  /** API URL of the Git host where GitHub Apps are created. Null: github.com. */
  readonly githubApiUrl: string | null
  /** Non-public `host` or `host:port` values that webhooks may use. */
  readonly allowedHookHosts: readonly string[]
  /** Origins whose pages may read jobs with job tokens. */
  readonly corsOrigins: readonly string[]
  /** Maximum number of requests per IP address per minute. */
  readonly edgeRateLimit: number
  readonly failedAuthRateLimit: number
  /** Requests per minute of one API key or user. */
  readonly callerRateLimit: number
  /** Days after which a session ends even if it is in use. */
  readonly sessionMaxDays: number
  readonly trustProxy: TrustedProxies | false
  /**
   * Configured secret for verifying the Git host's webhooks, or null. The GitHub App can have a
   * separate secret.
   */
  readonly githubWebhookSecret: string | null
  /** Secret of the webhooks of other Git hosts. Null: none are accepted. */
  readonly gitWebhookSecret: string | null
  /** Null: no traces are recorded. */
  readonly tracer: Tracer | null
  /** Folder of the built dashboard. Null: no dashboard is served. */
  readonly dashboardDir: string | null
  /** Counts the requests. Null: no metrics are served. */
  readonly requestDurations: Pick<Histogram, 'observe'> | null
}

/** Dependencies of an operation whose act is recorded in the audit log. */
export type AuditedApiDeps = ApiDeps & { readonly audit: AuditContext }
