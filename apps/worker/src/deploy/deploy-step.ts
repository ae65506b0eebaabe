import type { DeployedCommit, RepositoryAddress } from '@corrigenda/contracts'
import type { DeploymentClaim, DeploymentNote } from '@corrigenda/core/deployments'
import type { DeployDeps } from './deploy-deps.ts'

/** What each step of a deployment works with. */
export interface DeployStep {
  readonly deps: DeployDeps
  readonly claim: DeploymentClaim
  readonly repository: RepositoryAddress
  /** Aborts when the deployment is not ours any more, the process ends, or the time is up. */
  readonly signal: AbortSignal
  /** Writes a step down, without secrets. Throws when the deployment is not ours any more: call it before what cannot be undone. */
  note(note: DeploymentNote): Promise<void>
}

/** A step once the commit is known. */
export interface DeployCommitStep extends DeployStep {
  readonly commit: DeployedCommit
}
