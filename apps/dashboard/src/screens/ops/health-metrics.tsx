import type { OpsState } from '@corrigenda/contracts'
import { toDuration } from '../../format/amounts.ts'

/** The key health metrics of the service. */
export function HealthMetrics({ state }: { state: OpsState }) {
  const { workers, queue, last24h } = state
  const online = workers.filter((worker) => worker.alive)
  const busy = online.reduce((sum, worker) => sum + worker.busy, 0)
  const slots = online.reduce((sum, worker) => sum + worker.slots, 0)
  const { oldestWaitingSeconds: oldest } = queue
  const name = queue.backend === 'redis' ? 'Redis' : 'Postgres'
  const metrics = [
    { name: 'Online workers', value: String(online.length), note: `${busy} of ${slots} slots busy` },
    { name: 'Waiting', value: String(queue.waiting), note: 'Jobs waiting for a worker' },
    { name: 'Running', value: String(queue.active), note: 'Jobs claimed by a worker' },
    {
      name: 'Oldest wait',
      value: oldest === null ? '–' : toDuration(oldest * 1000),
      note: oldest === null ? 'No jobs waiting' : 'Since the job became due',
    },
    {
      name: 'Queue',
      value: queue.reachable ? name : 'Unreachable',
      note: queue.reachable
        ? 'Reachable'
        : `${name} is unreachable. Jobs are stored and will run when it is available again.`,
      bad: !queue.reachable,
    },
    {
      name: 'Last 24 hours',
      value: `${last24h.completed} completed`,
      note: `${last24h.failed} failed, ${last24h.cancelled} cancelled`,
    },
  ]
  return (
    <dl className="metrics panel">
      {metrics.map(({ name, value, note, bad }) => (
        <div key={name} className="metric" data-bad={bad || undefined}>
          <dt>{name}</dt>
          <dd className="metric-value">{value}</dd>
          <dd className="note">{note}</dd>
        </div>
      ))}
    </dl>
  )
}
