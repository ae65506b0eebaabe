export { claimDeployment, DEPLOYMENTS, type DeploymentClaim } from './claim-deployment.ts'
export { createDeployment, ensureMergeDeployment } from './create-deployment.ts'
export { findDeploymentProject, forgetDeployments, getDeployment, listDeployments } from './deployments.ts'
export {
  type DeploymentNote,
  type DeploymentOutcome,
  finishDeployment,
  noteDeployment,
  releaseDeployment,
} from './record-deployment.ts'
