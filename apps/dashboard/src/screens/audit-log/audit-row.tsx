import type { AuditEvent } from '@corrigenda/contracts'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Cells, type Column } from '../../components/table.tsx'
import { AuditDetails } from './audit-details.tsx'
import { toActorName, toAuditSentence } from './audit-sentences.ts'

interface RowProps {
  readonly event: AuditEvent
  readonly isOpen: boolean
  readonly detailsId: string
  readonly onToggle: () => void
}

const TIME: Column<RowProps> = { title: 'Time', cell: ({ event }) => <RelativeTime at={event.createdAt} /> }
const ACT: Column<RowProps> = {
  title: 'Event',
  unlabelled: true,
  className: 'breakable',
  cell: ({ event }) => (
    <span>
      <strong>{toActorName(event.actor)}</strong> {toAuditSentence(event)}
    </span>
  ),
}
const ADDRESS: Column<RowProps> = {
  title: 'IP address',
  hideBelow: 840,
  className: 'mono',
  cell: ({ event }) => event.ipAddress,
}
const PROJECT: Column<RowProps> = {
  title: 'Project',
  hideBelow: 920,
  className: 'mono',
  cell: ({ event }) => event.projectId,
}
const DETAILS: Column<RowProps> = {
  title: 'Details',
  hidden: true,
  unlabelled: true,
  className: 'audit-row-end',
  cell: ({ isOpen, detailsId, onToggle }) => (
    <Button variant="quiet" aria-expanded={isOpen} aria-controls={isOpen ? detailsId : undefined} onClick={onToggle}>
      {isOpen ? 'Hide details' : 'Details'}
    </Button>
  ),
}

export const PROJECT_COLUMNS = [ACT, TIME, ADDRESS, DETAILS] as const
export const INSTANCE_COLUMNS = [ACT, TIME, ADDRESS, PROJECT, DETAILS] as const

/** One event, and its details in a second row. */
export function AuditRow({ event, columns }: { event: AuditEvent; columns: readonly Column<RowProps>[] }) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  return (
    <>
      <tr data-testid="audit-row" data-action={event.action}>
        <Cells columns={columns} row={{ event, isOpen, detailsId, onToggle: () => setOpen(!isOpen) }} />
      </tr>
      {isOpen ? (
        <tr className="audit-details-row" id={detailsId}>
          <td colSpan={columns.length}>
            <AuditDetails event={event} />
          </td>
        </tr>
      ) : null}
    </>
  )
}
