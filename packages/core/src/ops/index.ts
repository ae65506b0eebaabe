export { getOpsState } from './get-ops-state.ts'
export { getWelcome } from './get-welcome.ts'
