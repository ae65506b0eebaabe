import type { DatabaseMonitor } from '@corrigenda/core/db'
import type { CreateJobDeps, QuotaLimit } from '@corrigenda/core/jobs'
import type { QueueBoard, RunQueue } from '@corrigenda/core/queue'
import type { EventHub } from '../event-hub/open-event-hub.ts'
import type { SignInConfig } from './config.ts'

/** What the routes need. */
export interface ApiDeps extends CreateJobDeps {
  readonly queue: RunQueue
  /** What the operators' board shows; null: there is no board. */
  readonly board: QueueBoard | null
  readonly monitor: DatabaseMonitor
  /** The live event streams of this process. */
  readonly events: EventHub
  readonly messageQuota: QuotaLimit
  readonly keyPepper: Buffer
  /** What people's sessions, invitations and the first account hang on. */
  readonly peopleKey: Buffer
  /** Where browsers reach the service, without a slash at the end. */
  readonly publicUrl: string
  readonly signIn: SignInConfig
  /** Visitors on the same machine are signed in to the demo's account by themselves. */
  readonly demoSignIn: boolean
  /** Hosts that repositories may be on. */
  readonly allowedRepositoryHosts: readonly string[]
  /** Seals the signing secrets of webhooks. */
  readonly webhookKey: Buffer
  /** Seals deploy targets. */
  readonly deployTargetKey: Buffer
  /** Seals credentials for the Git host. */
  readonly credentialKey: Buffer
  /** GITHUB_API_URL; null: github.com. */
  readonly githubApiUrl: string | null
  /** `host` or `host:port` that webhooks may reach though they are not public. */
  readonly allowedHookHosts: readonly string[]
  /** Requests per address and minute. */
  readonly edgeRateLimit: number
  readonly failedAuthRateLimit: number
  readonly trustProxy: boolean | string
  /** Configured secret of the Git host's webhooks; null: there is none. The App may have one, too. */
  readonly githubWebhookSecret: string | null
  /** Folder of the built dashboard; null: there is none to serve. */
  readonly dashboardDir: string | null
}
