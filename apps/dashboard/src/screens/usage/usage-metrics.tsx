import type { ProjectUsage } from '@corrigenda/contracts'
import { toDuration, toMoney } from '../../format/amounts.ts'
import { countJobs } from './outcomes.ts'

/** The key figures of the period. */
export function UsageMetrics({ usage }: { usage: ProjectUsage }) {
  const { days, pullRequests, workSeconds, models } = usage
  const { open, merged, closed, medianSecondsToMerge: toMerge } = pullRequests
  const jobs = days.reduce((sum, day) => sum + countJobs(day), 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const active = days.reduce((sum, day) => sum + day.active, 0)
  const cost = days.reduce((sum, day) => sum + day.costUsd, 0)
  const isPriced = models.some(({ costUsd }) => costUsd !== null)
  const metrics = [
    { name: 'Jobs', value: String(jobs), note: `${active} active` },
    { name: 'Failure rate', value: toPercent(failed, jobs - active), note: `${failed} failed` },
    {
      name: 'Model cost',
      value: isPriced ? toMoney(cost) : '–',
      note: isPriced ? `${toMoney(jobs === 0 ? 0 : cost / jobs)} per job` : 'No price is configured',
    },
    {
      name: 'Merge rate',
      value: toPercent(merged, merged + closed),
      note: `${merged} merged, ${closed} closed, ${open} open`,
    },
    {
      name: 'Time to merge',
      value: toMerge === null ? '–' : toDuration(toMerge * 1000),
      note: 'Median, from the prompt to the merge',
    },
    {
      name: 'Working time',
      value: workSeconds === null ? '–' : toDuration(workSeconds.p50 * 1000),
      note:
        workSeconds === null ? 'No run has ended' : `Median; 95% of runs within ${toDuration(workSeconds.p95 * 1000)}`,
    },
  ]
  return (
    <dl className="metrics panel">
      {metrics.map(({ name, value, note }) => (
        <div key={name} className="metric">
          <dt>{name}</dt>
          <dd className="metric-value">{value}</dd>
          <dd className="note">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a part of a whole as a percentage: "75%". Without a whole: "–". */
const toPercent = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`)
