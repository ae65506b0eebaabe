import type { AgentJob } from '@corrigenda/contracts'
import { Chip } from './chip.tsx'
import { JOB_STATE_FACTS, toJobState } from './job-state.ts'

/** The state of a job. */
export function JobChip({ job }: { job: Pick<AgentJob, 'status' | 'phase' | 'outcome'> }) {
  const { label, icon, tone, hint } = JOB_STATE_FACTS[toJobState(job)]
  return (
    <Chip icon={icon} tone={tone} hint={hint} testId="status-chip">
      {label}
    </Chip>
  )
}
