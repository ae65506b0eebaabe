import type { DeployedCommit, RepositoryAddress } from '@corrigenda/contracts'
import type { DeploymentClaim, DeploymentNote } from '@corrigenda/core/deployments'
import type { SealingKey } from '@corrigenda/core/instance'
import type { HoldDeps } from '@corrigenda/core/leases'
import type { Proxies } from '@corrigenda/egress'
import type { GitAccess } from '../git-host/git-access.ts'

/** Input of each step of a deployment. */
export interface DeployStep {
  readonly deps: DeployDeps
  readonly claim: DeploymentClaim
  readonly repository: RepositoryAddress
  /**
   * Aborts when the deployment's lease is lost, the process shuts down, or the time limit is
   * reached.
   */
  readonly signal: AbortSignal
  /**
   * Records a step with secrets redacted. Throws if the deployment's lease is lost. Call it before
   * any step that cannot be undone.
   */
  note(note: DeploymentNote): Promise<void>
}

/** Input of the steps that run after the commit is resolved. */
export interface DeployCommitStep extends DeployStep {
  readonly commit: DeployedCommit
}

/** Time limits for a deployment, in ms. */
export interface DeployLimits {
  /** Total time from the first claim to the end, for each kind of deploy target. */
  readonly hookMs: number
  readonly workflowMs: number
  /** One hook call, including the response. */
  readonly hookTimeoutMs: number
  /** Delay before each retry of a hook call. The number of entries is the number of retries. */
  readonly hookWaitsMs: readonly number[]
  /** Initial and maximum delay between polls of a workflow run. */
  readonly pollMs: number
  readonly maxPollMs: number
  /** Maximum time until a run appears after its dispatch. */
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

/** Dependencies for running a deployment. */
export interface DeployDeps extends GitAccess, HoldDeps {
  /** Name of this process in leases. */
  readonly owner: string
  /** Decrypts deploy targets. */
  readonly deployTargetKey: SealingKey
  /** Maximum number of claims without a result before the deployment fails. */
  readonly maxAttempts: number
  /**
   * Hosts (`host` or `host:port`) from ALLOWED_HOOK_HOSTS. They may be private and use plain http.
   */
  readonly allowedHookHosts: readonly string[]
  readonly proxies: Proxies | null
  readonly limits: DeployLimits
}

/**
 * Error for a deployment that cannot succeed. The message is shown to the caller. It states the
 * problem and the fix, and contains no secrets.
 */
export class DeployFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DeployFailure'
  }
}
