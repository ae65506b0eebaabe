import type { AgentJob } from '@corrigenda/contracts'
import { toDuration } from '../format/amounts.ts'
import { useNow } from './use-now.ts'

/**
 * The time that workers spent on a job, updated while one works on it. Waiting does not count. A dash
 * if the job has not started, or if the time was not recorded.
 */
export function WorkedTime({ job }: { job: Pick<AgentJob, 'startedAt' | 'workedMs' | 'workingSince'> }) {
  const { startedAt, workedMs, workingSince } = job
  const now = useNow(workingSince === null ? null : 1_000)
  if (startedAt === null || workedMs === null) return <span className="muted">–</span>
  const current = workingSince === null ? 0 : Math.max(0, now - Date.parse(workingSince))
  return <span className="nowrap">{toDuration(workedMs + current)}</span>
}
