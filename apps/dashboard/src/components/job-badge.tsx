import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { Badge } from './badge.tsx'
import { JOB_STATE_FACTS } from './job-state.ts'

export function JobBadge({ job }: { job: Pick<AgentJob, 'status' | 'phase' | 'outcome'> }) {
  const { label, icon, tone, hint } = JOB_STATE_FACTS[toJobState(job)]
  return (
    <Badge icon={icon} tone={tone} hint={hint} testId="status-badge">
      {label}
    </Badge>
  )
}
