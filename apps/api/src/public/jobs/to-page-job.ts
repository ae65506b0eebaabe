import type { AgentJob } from '@corrigenda/contracts'

/** Returns a job for a web page, without the repositories, paths and lines that its runs read. */
export const toPageJob = (job: AgentJob): AgentJob => ({ ...job, sources: [], evidence: [] })
