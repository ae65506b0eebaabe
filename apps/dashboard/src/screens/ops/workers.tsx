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

const COLUMNS = ['Worker', 'State', 'Busy', 'Model', 'Queue', 'Version', 'Started', 'Last seen'].map((title) => ({
  title,
}))

/** All workers of the last day. */
export function Workers({ workers, version }: { workers: readonly OpsWorker[]; version: string }) {
  return (
    <Block
      title="Workers"
      description="Each says every few seconds that it is alive. Silent ones are forgotten after a day."
    >
      {workers.length === 0 ? (
        <p className="block-note">No worker has been seen for a day.</p>
      ) : (
        <Table label="Workers" columns={COLUMNS}>
          {workers.map((worker) => (
            <tr key={worker.id} data-testid="worker-row">
              <td data-label="Worker">
                <span title={worker.id}>
                  {worker.host} <span className="muted">pid {worker.pid}</span>
                </span>
              </td>
              <td data-label="State">
                {worker.alive ? (
                  <Badge icon="check" tone="ok" hint="It was seen a moment ago.">
                    Alive
                  </Badge>
                ) : (
                  <Badge icon="failed" tone="bad" hint="It ended without saying so, or cannot reach the database.">
                    Silent
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
                  <Badge icon="warning" tone="warn" hint={`The API has ${version}.`}>
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
