import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { opsQuery } from '../../api/ops.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NotFoundPage } from '../../shell/problem-page.tsx'
import { useUser } from '../../shell/use-project.ts'
import { Failures } from './failures.tsx'
import { GitHubAppNotice } from './github-app-notice.tsx'
import { GitHubAppSection } from './github-app-section.tsx'
import { HealthMetrics } from './health-metrics.tsx'
import { MonthlySpendSection } from './monthly-spend-section.tsx'
import { Rates } from './rates.tsx'
import { Users } from './users.tsx'
import { Versions } from './versions.tsx'
import { WorkerBanner } from './worker-banner.tsx'
import { Workers } from './workers.tsx'
import './ops.css'

/** The operations page: the state of the service. Visible to admins only. */
export function OpsScreen() {
  const user = useUser()
  const { githubApp } = useSearch({ from: '/signed-in/ops' })
  const { data, error, refetch } = useQuery(opsQuery)
  if (user?.isAdmin === false || (error instanceof ApiError && error.status === 404)) return <NotFoundPage />
  return (
    <>
      <PageHeader
        title="Operations"
        description="The current state of the workers and the queue, and recent failures."
        actions={
          <>
            <Link className="button" to="/ops/audit">
              Audit log
            </Link>
            <a className="button" href="/ops/queues/">
              Queue board
            </a>
          </>
        }
      />
      <div className="stack gap-5">
        <GitHubAppNotice code={githubApp} />
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
        {data ? (
          <>
            <WorkerBanner workers={data.workers} waiting={data.queue.waiting} />
            <HealthMetrics state={data} />
            <Workers workers={data.workers} version={data.version} />
            <Failures failures={data.failures} />
            <Rates rates={data.rates} />
            <MonthlySpendSection spend={data.monthlySpend} />
            <GitHubAppSection />
            <Users />
            <Versions version={data.version} migrations={data.migrations} />
          </>
        ) : error ? null : (
          <Loading />
        )}
      </div>
    </>
  )
}
