import type { Database } from '@corrigenda/core/db'
import type { Log } from '@corrigenda/core/runtime'
import type { Credentials } from '../git-host/credentials.ts'
import type { OpenGitHost } from '../git-host/git-host.ts'

/** Times of a deployment, in ms. */
export interface DeployLimits {
  /** From the first claim to the end. */
  readonly hookMs: number
  readonly workflowMs: number
  /** One call of a hook, answer included. */
  readonly hookTimeoutMs: number
  /** Waits before a hook is called again; their number is that of the further calls. */
  readonly hookWaitsMs: readonly number[]
  /** How often a workflow run is asked for: first, and at the most. */
  readonly pollMs: number
  readonly maxPollMs: number
  /** How long a run may take to show up after its dispatch. */
  readonly findRunMs: number
}

export const DEPLOY_LIMITS: DeployLimits = {
  hookMs: 15 * 60_000,
  workflowMs: 60 * 60_000,
  hookTimeoutMs: 60_000,
  hookWaitsMs: [1_000, 4_000, 9_000],
  pollMs: 5_000,
  maxPollMs: 15_000,
  findRunMs: 60_000,
}

/** What working on a deployment needs. */
export interface DeployDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  /** Names this process in leases. */
  readonly owner: string
  readonly leaseSeconds: number
  /** Opens deploy targets. */
  readonly deployTargetKey: Buffer
  /** Claims that may end without an end of the deployment before it is given up. */
  readonly maxAttempts: number
  /** Aborted when the process is asked to end. */
  readonly shutdown: AbortSignal
  readonly credentials: Credentials
  readonly openGitHost: OpenGitHost
  readonly allowedRepositoryHosts: readonly string[]
  /** `host` or `host:port` from ALLOWED_HOOK_HOSTS: hooks there may be private and spoken to over plain http. */
  readonly allowedHookHosts: readonly string[]
  /** Values that must appear in no text of ours. */
  readonly secrets: readonly string[]
  readonly limits: DeployLimits
}
