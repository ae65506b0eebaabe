import { memo } from 'react'
import { Cells } from '../../components/table.tsx'
import { toJobTitle } from '../../format/format.ts'
import type { JobRowProps } from './job-columns.tsx'

/** One job. Does not render again unless it changes, because the list can have thousands of rows. */
export const JobRow = memo(function JobRow(props: JobRowProps) {
  const { job, columns, isChosen, isSelected, onToggle } = props
  return (
    <tr data-testid="job-row" data-job={job.id} data-selected={isChosen ? '' : undefined}>
      {onToggle ? (
        <td className="job-row-select">
          <label>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                onToggle(job.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
            <span className="sr-only">Select {toJobTitle(job)}</span>
          </label>
        </td>
      ) : null}
      <Cells columns={columns} row={props} />
    </tr>
  )
})
