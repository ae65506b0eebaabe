import type { OpsState } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { Block } from '../../components/block.tsx'
import { Meter } from '../../components/meter.tsx'
import { Table } from '../../components/table.tsx'
import { toDuration } from '../../format/amounts.ts'

const COLUMNS = [{ title: 'Project' }, { title: 'Jobs created' }, { title: 'Usage' }]

/** Each project's usage of its job quota. */
export function Rates({ rates }: { rates: OpsState['rates'] }) {
  const window = rates[0]?.windowSeconds
  return (
    <Block
      title="Rate limits"
      description={
        window
          ? `Jobs created in each project in the last ${window === 3600 ? 'hour' : toDuration(window * 1000)}.`
          : undefined
      }
    >
      {rates.length === 0 ? (
        <p className="block-note">No jobs were created in the current window.</p>
      ) : (
        <Table label="Rate limits" columns={COLUMNS}>
          {rates.map(({ projectId, name, limit, used }) => (
            <tr key={projectId} data-testid="rate-row">
              <td data-label="Project" className="breakable">
                <Link to="/projects/$projectId/jobs" params={{ projectId }}>
                  {name}
                </Link>
              </td>
              <td data-label="Jobs created">
                {used} of {limit}
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
