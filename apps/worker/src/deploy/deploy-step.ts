import type { DeployedCommit, RepositoryAddress } from '@corrigenda/contracts'
import type { DeploymentClaim, DeploymentNote } from '@corrigenda/core/deployments'
import type { DeployDeps } from './deploy-deps.ts'

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
