import type { AuditEvent } from '@corrigenda/contracts'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Cells, type Column } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
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

/** All recorded facts of an event. */
function AuditDetails({ event }: { event: AuditEvent }) {
  const { before, after } = event
  const facts: readonly (readonly [string, string | null])[] = [
    ['Time', new Date(event.createdAt).toLocaleString()],
    ['Action', event.action],
    ['Actor', toActor(event)],
    ['IP address', event.ipAddress],
    ['Project', event.projectId],
    ['Object', event.target && `${event.target.type.replaceAll('_', ' ')} ${event.target.id}`],
    ['Request', event.requestId],
    ['Event', event.id],
  ]
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <div className="audit-details stack gap-3">
      <dl className="audit-facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {fields.length > 0 ? (
        <dl className="audit-changes">
          {fields.map((name) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd>
                {before ? <del className="mono">{toText(before[name])}</del> : null}
                {after ? <ins className="mono">{toText(after[name])}</ins> : null}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}

const toActor = ({ actor }: AuditEvent): string =>
  actor.id === null ? actor.type.replaceAll('_', ' ') : `${actor.type} ${actor.id}`

const toText = (value: unknown): string =>
  value === null || value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value)
