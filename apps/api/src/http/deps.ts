import type { DatabaseMonitor } from '@corrigenda/core/db'
import type { CreateJobDeps, QuotaLimit } from '@corrigenda/core/jobs'
import type { QueueBoard, RunQueue } from '@corrigenda/core/queue'
import type { EventHub } from '../event-hub/open-event-hub.ts'
import type { SignInConfig } from './config.ts'

/** Dependencies of the routes. */
export interface ApiDeps extends CreateJobDeps {
  readonly queue: RunQueue
  /** Data for the admins' queue board; null: there is no board. */
  readonly board: QueueBoard | null
  readonly monitor: DatabaseMonitor
  /** The live event streams of this process. */
  readonly events: EventHub
  readonly messageQuota: QuotaLimit
  readonly keyPepper: Buffer
  /** Key for users' sessions, invitations and the setup of the first account. */
  readonly authKey: Buffer
  /** Public URL of the service for browsers, without a trailing slash. */
  readonly publicUrl: string
  readonly signIn: SignInConfig
  /** Signs visitors on the same machine in to the demo account automatically. */
  readonly demoSignIn: boolean
  /** Hosts on which repositories are allowed. */
  readonly allowedRepositoryHosts: readonly string[]
  /** Encrypts the signing secrets of webhooks. */
  readonly webhookKey: Buffer
  /** Encrypts deploy targets. */
  readonly deployTargetKey: Buffer
  /** Encrypts credentials for the Git host. */
  readonly credentialKey: Buffer
  /** GITHUB_API_URL; null: github.com. */
  readonly githubApiUrl: string | null
  /** `host` or `host:port` values that webhooks can reach although they are not public. */
  readonly allowedHookHosts: readonly string[]
  /** Limit of requests per IP address and minute. */
  readonly edgeRateLimit: number
  readonly failedAuthRateLimit: number
  readonly trustProxy: boolean | string
  /**
   * Configured secret of the Git host's webhooks; null: not configured. The App can have a separate
   * secret.
   */
  readonly githubWebhookSecret: string | null
  /** Folder of the built dashboard; null: no dashboard is served. */
  readonly dashboardDir: string | null
}
