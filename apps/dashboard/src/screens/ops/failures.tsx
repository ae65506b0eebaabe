import type { OpsState } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { Block } from '../../components/block.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Table } from '../../components/table.tsx'

const COLUMNS = [
  { title: 'Code' },
  { title: 'Jobs', numeric: true },
  { title: 'Last failure' },
  { title: 'Latest job' },
]

/** Job failures in the last 24 hours, by code. */
export function Failures({ failures }: { failures: OpsState['failures'] }) {
  return (
    <Block title="Failures by code" description="Jobs that failed in the last 24 hours.">
      {failures.length === 0 ? (
        <p className="block-note muted">No jobs failed in the last 24 hours.</p>
      ) : (
        <Table label="Failures by code" columns={COLUMNS}>
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
