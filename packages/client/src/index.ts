export { buildCorrigenda, type Corrigenda, type PendingJob, type PendingUpdate } from './build-corrigenda.ts'
export type { CorrigendaOptions } from './connection.ts'
export { CorrigendaError } from './corrigenda-error.ts'
export type {
  AgentJob,
  CreateAgentJobRequest,
  Deployment,
  JobChanges,
  JobEvent,
  JobToken,
  Me,
} from './generated/types.gen.ts'
export type { RetryLimits } from './retry-fetch.ts'
export type { JobWaitOptions } from './wait-for-job.ts'
export type { WaitOptions } from './wait-until-ended.ts'
