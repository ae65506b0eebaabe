import type { CreateJobDeps, DatabaseMonitor } from '@corrigenda/core'

/** What the routes need. */
export interface ApiDeps extends CreateJobDeps {
  readonly monitor: DatabaseMonitor
  readonly keyPepper: Buffer
  /** Requests per address and minute. */
  readonly edgeRateLimit: number
  readonly failedAuthRateLimit: number
  readonly trustProxy: boolean | string
}
