import type { DashboardJob } from '@corrigenda/contracts'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { Table } from '../../components/table.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { useRowKeys } from '../../keyboard/use-row-keys.ts'
import { useHasRole } from '../../shell/use-project.ts'
import { BulkBar } from './bulk-bar.tsx'
import { listUsefulColumns } from './job-columns.tsx'
import { JobRow } from './job-row.tsx'
import { useSelection } from './use-selection.ts'

/**
 * The rows of the list. Members can select some and act on all of them: `x` toggles the current row,
 * and Shift extends the selection.
 */
export function JobsTable({ projectId, jobs }: { projectId: string; jobs: readonly DashboardJob[] }) {
  const navigate = useNavigate()
  const maySelect = useHasRole('member')
  const shown = useMemo(() => jobs.map(({ id }) => id), [jobs])
  const selection = useSelection(shown)
  const useful = listUsefulColumns(jobs)
  // The same array while the columns are the same, so that rows do not render again.
  const known = useRef(useful)
  if (known.current.length !== useful.length || known.current.some((column, n) => column !== useful[n])) {
    known.current = useful
  }
  const columns = known.current
  const open = useCallback(
    (index: number) => {
      const jobId = shown[index]
      if (jobId) void navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId } })
    },
    [shown, navigate, projectId],
  )
  const chosen = useRowKeys({ count: jobs.length, noun: 'job', onOpen: open })
  const current = chosen === null ? undefined : shown[chosen]
  const { ids, toggle, set } = selection
  useShortcuts(
    useMemo(() => {
      if (!maySelect) return []
      const mark = (isRange: boolean) => () => current !== undefined && toggle(current, isRange)
      return [
        { keys: 'x', label: 'Select the job', run: mark(false) },
        { keys: 'X', label: 'Select all jobs up to this one', run: mark(true) },
        ...(ids.size > 0 ? [{ keys: 'Escape', label: 'Clear the selection', run: () => set([]) }] : []),
      ]
    }, [maySelect, current, toggle, ids.size, set]),
  )
  const isAll = ids.size === jobs.length
  const header = {
    title: 'Select',
    header: (
      <label className="job-row-select-all">
        <input
          type="checkbox"
          checked={isAll && jobs.length > 0}
          ref={(box) => {
            if (box) box.indeterminate = ids.size > 0 && !isAll
          }}
          onChange={() => set(isAll ? [] : shown)}
        />
        <span className="sr-only">Select all {jobs.length} jobs on this page</span>
      </label>
    ),
  }
  return (
    <>
      {maySelect ? (
        <BulkBar projectId={projectId} jobs={jobs.filter(({ id }) => ids.has(id))} all={shown} onSelect={set} />
      ) : null}
      <div className="panel jobs-list">
        <Table label="Jobs" columns={maySelect ? [header, ...columns] : columns}>
          {jobs.map((job, index) => (
            <JobRow
              key={job.id}
              job={job}
              projectId={projectId}
              columns={columns}
              isChosen={index === chosen}
              isSelected={ids.has(job.id)}
              onToggle={maySelect ? toggle : null}
            />
          ))}
        </Table>
      </div>
    </>
  )
}
