import { type ProjectUsage, USAGE_PERIODS } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { usageQuery } from '../../api/projects.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { toDuration, toMoney } from '../../format/format.ts'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { countJobs, DayCharts } from './day-charts.tsx'
import { UsageTables } from './usage-tables.tsx'
import './usage.css'

/** A project's jobs, pull requests and costs over time, for its owners. */
export function UsageScreen() {
  const projectId = useProjectId()
  const isOwner = useHasRole('owner')
  const { days = 30 } = useSearch({ from: '/signed-in/projects/$projectId/usage' })
  const { data, error, refetch } = useQuery({ ...usageQuery(projectId, { days }), enabled: isOwner })
  if (!isOwner) {
    return (
      <>
        <PageHeader title="Usage" />
        <p className="muted">Only owners can see the usage of a project.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Usage"
        description={`Jobs created in the last ${days} days, today included. Days are in UTC.`}
        actions={
          <nav className="usage-periods cluster" aria-label="Period">
            {USAGE_PERIODS.map((period) => (
              <Link
                key={period}
                className="button"
                to="/projects/$projectId/usage"
                params={{ projectId }}
                search={period === 90 ? { days: 90 } : {}}
                activeOptions={{ exact: true }}
              >
                {period} days
              </Link>
            ))}
          </nav>
        }
      />
      {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <div className="usage stack gap-5">
          <UsageMetrics usage={data} />
          <DayCharts days={data.days} />
          <UsageTables usage={data} />
        </div>
      ) : error ? null : (
        <Loading />
      )}
    </>
  )
}

/** The key figures of the period. */
function UsageMetrics({ usage }: { usage: ProjectUsage }) {
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
