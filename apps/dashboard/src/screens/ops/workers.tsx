import type { ModelKind, OpsWorker } from '@corrigenda/contracts'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Table } from '../../components/table.tsx'

const MODELS: Readonly<Record<ModelKind, string>> = {
  anthropic: 'Anthropic',
  rehearsal: 'Rehearsal model',
  other: 'Messages API',
}

const COLUMNS = ['Worker', 'Status', 'Busy', 'Model', 'Queue', 'Version', 'Started', 'Last seen'].map((title) => ({
  title,
}))

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
        <Table label="Workers" columns={COLUMNS}>
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
              <td data-label="Busy">
                {worker.busy} of {worker.slots}
              </td>
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
