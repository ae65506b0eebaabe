import type { AuditEvent } from '@corrigenda/contracts'

/** All recorded facts of an event. */
export function AuditDetails({ event }: { event: AuditEvent }) {
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
