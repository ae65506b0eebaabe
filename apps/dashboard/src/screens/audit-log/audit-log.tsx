import { AuditAction } from '@corrigenda/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { auditEventsQuery, toAuditPath } from '../../api/audit-events.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select } from '../../components/field.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SettledField } from '../../components/settled-field.tsx'
import { Table } from '../../components/table.tsx'
import { useNewest } from '../../components/use-newest.ts'
import { isDayOrEmpty } from '../../format/format.ts'
import { type AuditFilter, readAuditFilter, toAuditQuery } from './audit-filter.ts'
import { AuditRow, INSTANCE_COLUMNS, PROJECT_COLUMNS } from './audit-row.tsx'
import { toActionLabel } from './audit-sentences.ts'
import './audit-log.css'

const ACTIONS = [
  { value: '', label: 'All events' },
  ...AuditAction.options.map((action) => ({ value: action, label: toActionLabel(action) })),
]

interface AuditLogProps {
  /** Null for the audit log of the whole instance. */
  readonly projectId: string | null
  readonly filter: AuditFilter
  readonly onFilter: (filter: AuditFilter) => void
}

/** The audit log, with a filter and an export of what matches it. */
export function AuditLog({ projectId, filter, onFilter }: AuditLogProps) {
  const query = toAuditQuery(filter)
  const list = useInfiniteQuery({ ...auditEventsQuery(projectId, query), placeholderData: (before) => before })
  const events = list.data?.pages.flatMap((page) => page.events) ?? []
  const columns = projectId === null ? INSTANCE_COLUMNS : PROJECT_COLUMNS
  const newest = useNewest(filter)
  const set = (change: Record<string, string>) => {
    newest.current = readAuditFilter({ ...newest.current, ...change })
    onFilter(newest.current)
  }
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <PageHeader
        title="Audit log"
        description={
          projectId === null
            ? 'Actions by users, API keys and operators in all projects and on this instance. Events cannot be changed.'
            : 'Actions by users, API keys and operators in this project. Events cannot be changed.'
        }
        actions={
          <a className="button" href={`${toAuditPath(projectId)}.jsonl?${new URLSearchParams(query)}`} download>
            Download JSON Lines
          </a>
        }
      />
      <search className="audit-filter">
        <Select label="Event" options={ACTIONS} value={filter.action ?? ''} onValue={(action) => set({ action })} />
        <SettledField
          label="From"
          type="date"
          max={filter.to}
          value={filter.from ?? ''}
          accepts={isDayOrEmpty}
          onValue={(from) => set({ from })}
        />
        <SettledField
          label="To"
          type="date"
          min={filter.from}
          value={filter.to ?? ''}
          accepts={isDayOrEmpty}
          onValue={(to) => set({ to })}
        />
        <SettledField
          label="Actor ID"
          placeholder="usr_… or key ID"
          value={filter.actor ?? ''}
          onValue={(actor) => set({ actor })}
        />
      </search>
      {list.error ? <ErrorNote error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <Loading label="Loading the audit log" /> : null}
      {list.data ? (
        <div className="panel">
          {events.length > 0 ? (
            <Table label="Audit log" columns={columns}>
              {events.map((event) => (
                <AuditRow key={event.id} event={event} columns={columns} />
              ))}
            </Table>
          ) : (
            <EmptyState title={isFiltered ? 'No events match this filter' : 'No events yet'}>
              {isFiltered ? (
                <div>
                  <Button onClick={() => onFilter({})}>Show all events</Button>
                </div>
              ) : null}
            </EmptyState>
          )}
        </div>
      ) : null}
      {list.hasNextPage ? (
        <p className="audit-more">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older events
          </Button>
        </p>
      ) : null}
    </>
  )
}
