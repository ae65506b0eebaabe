import { USAGE_PERIODS } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { usageQuery } from '../../api/usage.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { DayCharts } from './day-charts.tsx'
import { UsageMetrics } from './usage-metrics.tsx'
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
