import type { MonthlySpend, OpsState, OpsWorker } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { opsQuery } from '../../api/ops.ts'
import { ApiError } from '../../api/request.ts'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loading } from '../../components/loading.tsx'
import { SpendMeter } from '../../components/meter.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { toDuration } from '../../format/format.ts'
import { NotFoundPage } from '../../shell/problem-page.tsx'
import { useUser } from '../../shell/use-project.ts'
import { GitHubAppNotice, GitHubAppSection } from './github-app-section.tsx'
import { Failures, Rates, Workers } from './ops-tables.tsx'
import { Users } from './users.tsx'
import './ops.css'

/** Command that starts a worker. It must run in the API's folder or with the API's environment. */
const START = 'npx -y pnpm@12 corrigenda worker'

const START_COMPOSE = 'docker compose up -d worker'

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
            <Verdict workers={data.workers} />
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

/** Whether the workers are healthy. A worker that stops normally leaves the list, so an offline one was lost. */
function Verdict({ workers }: { workers: readonly OpsWorker[] }) {
  const lost = workers.filter(({ alive }) => !alive)
  const [last] = lost.map(({ seenAt }) => seenAt).sort((a, b) => b.localeCompare(a))
  if (lost.length === workers.length) return null
  return (
    <p className="cluster" data-testid="verdict">
      {last === undefined ? (
        <Badge icon="check" tone="ok">
          Healthy
        </Badge>
      ) : (
        <>
          <Badge icon="warning" tone="warn">
            {lost.length === 1 ? '1 worker lost' : `${lost.length} workers lost`}
          </Badge>
          <span className="muted">
            Last seen <RelativeTime at={last} />. Other workers continue its jobs.
          </span>
        </>
      )}
    </p>
  )
}

/**
 * A warning that is shown while no worker is running, because accepted jobs would otherwise wait
 * silently.
 */
function WorkerBanner({ workers, waiting }: { workers: readonly OpsWorker[]; waiting: number }) {
  if (workers.some(({ alive }) => alive)) return null
  const jobs = waiting === 0 ? 'New jobs will wait' : waiting === 1 ? '1 job is waiting' : `${waiting} jobs are waiting`
  return (
    <div className="ops-banner" role="alert" data-testid="no-worker">
      <Icon name="warning" />
      <div className="stack gap-2 grow">
        <h2>No worker is running</h2>
        <p>{jobs} for a worker. Start one on a machine where the worker settings are configured:</p>
        <CodeBlock code={START} label="Command that starts a worker" />
        <p>With Docker Compose:</p>
        <CodeBlock code={START_COMPOSE} label="Command that starts a worker with Docker Compose" />
      </div>
    </div>
  )
}

/** The spend of all projects in the current month, and the instance's budget. */
function MonthlySpendSection({ spend }: { spend: MonthlySpend }) {
  return (
    <Block title="Monthly spend" description="Model cost of all projects. MONTHLY_BUDGET_USD sets the budget.">
      <div className="block-body">
        <SpendMeter spend={spend} />
      </div>
    </Block>
  )
}

/** The running version and the state of the database migrations. */
function Versions({ version, migrations }: Pick<OpsState, 'version' | 'migrations'>) {
  const { applied, pending } = migrations
  return (
    <Block title="Version">
      <div className="block-body">
        <dl className="ops-facts">
          <dt>Corrigenda</dt>
          <dd>{version}</dd>
          <dt>Migrations</dt>
          <dd>
            <span className="cluster">
              {applied} applied
              {pending.length === 0 ? (
                <Badge icon="check" tone="ok">
                  None pending
                </Badge>
              ) : (
                <Badge icon="warning" tone="warn">{`${pending.length} pending`}</Badge>
              )}
            </span>
          </dd>
        </dl>
        {pending.length > 0 ? (
          <>
            <p>These migrations have not been applied: {pending.join(', ')}. Apply them with:</p>
            <CodeBlock code="npx -y pnpm@12 corrigenda migrate" label="Command that applies migrations" />
          </>
        ) : null}
      </div>
    </Block>
  )
}

/** The key health metrics of the service. */
function HealthMetrics({ state }: { state: OpsState }) {
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
