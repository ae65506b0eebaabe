import type { ModelKind, OpsState, OpsWorker } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { Meter } from '../../components/meter.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { toDuration } from '../../format/format.ts'

const RATE_COLUMNS = [{ title: 'Project' }, { title: 'Jobs created' }, { title: 'Usage' }]

const FAILURE_COLUMNS = [
  { title: 'Code' },
  { title: 'Jobs', numeric: true },
  { title: 'Last failure' },
  { title: 'Latest job' },
]

const MODELS: Readonly<Record<ModelKind, string>> = {
  anthropic: 'Anthropic',
  rehearsal: 'Rehearsal model',
  other: 'Messages API',
}

const WORKER_COLUMNS = ['Worker', 'Status', 'Busy', 'Model', 'Queue', 'Version', 'Started', 'Last seen'].map(
  (title) => ({
    title,
  }),
)

/** All workers seen in the last day. */
export function Workers({ workers, version }: { workers: readonly OpsWorker[]; version: string }) {
  return (
    <Block
      title="Workers"
      description="Workers send a heartbeat every few seconds. Offline workers disappear from this list after a day."
    >
      {workers.length === 0 ? (
        <p className="block-note muted">No workers were online in the last day.</p>
      ) : (
        <Table label="Workers" columns={WORKER_COLUMNS}>
          {workers.map((worker) => (
            <tr key={worker.id} data-testid="worker-row">
              <td data-label="Worker">
                <span title={worker.id}>
                  {worker.host} <span className="muted">pid {worker.pid}</span>
                </span>
              </td>
              <td data-label="Status">
                {worker.alive ? (
                  <Badge icon="check" tone="ok" hint="Sent a heartbeat recently.">
                    Online
                  </Badge>
                ) : (
                  <Badge icon="failed" tone="bad" hint="Stopped unexpectedly, or cannot reach the database.">
                    Offline
                  </Badge>
                )}
              </td>
              <td data-label="Busy">{worker.alive ? `${worker.busy} of ${worker.slots}` : '–'}</td>
              <td data-label="Model">
                <span title={worker.model.baseUrl}>{MODELS[worker.model.kind]}</span>
              </td>
              <td data-label="Queue">{worker.queue === 'redis' ? 'Redis' : 'Postgres'}</td>
              <td data-label="Version">
                {worker.version === version ? (
                  worker.version
                ) : (
                  <Badge icon="warning" tone="warn" hint={`The API runs version ${version}.`}>
                    {worker.version}
                  </Badge>
                )}
              </td>
              <td data-label="Started">
                <RelativeTime at={worker.startedAt} />
              </td>
              <td data-label="Last seen">
                <RelativeTime at={worker.seenAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Block>
  )
}

/** Job failures in the last 24 hours, by code. */
export function Failures({ failures }: { failures: OpsState['failures'] }) {
  return (
    <Block title="Failures by code" description="Jobs that failed in the last 24 hours.">
      {failures.length === 0 ? (
        <p className="block-note muted">No jobs failed in the last 24 hours.</p>
      ) : (
        <Table label="Failures by code" columns={FAILURE_COLUMNS}>
          {failures.map(({ code, count, lastAt, lastJobId, lastProjectId }) => (
            <tr key={code} data-testid="failure-row">
              <td data-label="Code" className="mono">
                {code}
              </td>
              <td data-label="Jobs" data-numeric>
                {count}
              </td>
              <td data-label="Last failure">
                <RelativeTime at={lastAt} />
              </td>
              <td data-label="Latest job" className="mono">
                <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId: lastProjectId, jobId: lastJobId }}>
                  {lastJobId}
                </Link>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Block>
  )
}

const toPeriod = (seconds: number): string => (seconds === 3600 ? 'hour' : toDuration(seconds * 1000))

/** Each project's usage of its job quota. */
export function Rates({ rates }: { rates: OpsState['rates'] }) {
  const [window, other] = new Set(rates.map(({ windowSeconds }) => windowSeconds))
  const isSame = window !== undefined && other === undefined
  return (
    <Block
      title="Rate limits"
      description={isSame ? `Jobs created in each project in the last ${toPeriod(window)}.` : undefined}
    >
      {rates.length === 0 ? (
        <p className="block-note muted">No jobs were created in the current window.</p>
      ) : (
        <Table label="Rate limits" columns={RATE_COLUMNS}>
          {rates.map(({ projectId, name, limit, used, windowSeconds }) => (
            <tr key={projectId} data-testid="rate-row">
              <td data-label="Project" className="breakable">
                <Link to="/projects/$projectId/jobs" params={{ projectId }}>
                  {name}
                </Link>
              </td>
              <td data-label="Jobs created">
                {used} of {limit}
                {isSame ? null : ` in the last ${toPeriod(windowSeconds)}`}
              </td>
              <td data-label="Usage">
                <Meter used={used} limit={limit} label={`Job quota usage for ${name}`} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Block>
  )
}
