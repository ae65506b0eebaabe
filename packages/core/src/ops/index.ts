export { getOpsState } from './get-ops-state.ts'
export { getSetupProgress } from './get-setup-progress.ts'
export { type RotationResult, rotateSecret } from './rotate-secret.ts'
