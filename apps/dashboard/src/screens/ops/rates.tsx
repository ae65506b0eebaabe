import type { OpsState } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { Block } from '../../components/block.tsx'
import { Meter } from '../../components/meter.tsx'
import { Table } from '../../components/table.tsx'
import { toDuration } from '../../format/amounts.ts'

const COLUMNS = [{ title: 'Project' }, { title: 'Jobs created' }, { title: 'Usage' }]

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
        <Table label="Rate limits" columns={COLUMNS}>
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
