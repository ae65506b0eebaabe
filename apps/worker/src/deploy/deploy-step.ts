import type { DeployedCommit, RepositoryAddress } from '@corrigenda/contracts'
import type { DeploymentClaim, DeploymentNote } from '@corrigenda/core/deployments'
import type { DeployDeps } from './deploy-deps.ts'

/** Input of each step of a deployment. */
export interface DeployStep {
  readonly deps: DeployDeps
  readonly claim: DeploymentClaim
  readonly repository: RepositoryAddress
  /**
   * Aborts when the lease of the deployment is lost, the process ends, or the time limit is
   * reached.
   */
  readonly signal: AbortSignal
  /**
   * Records a step, without secrets. Throws when the lease of the deployment is lost. Call it
   * before any step that cannot be undone.
   */
  note(note: DeploymentNote): Promise<void>
}

/** Input of a step after the commit is resolved. */
export interface DeployCommitStep extends DeployStep {
  readonly commit: DeployedCommit
}
