import type { DashboardKey } from '@corrigenda/contracts'
import { Button } from '../../components/button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ExpiryNote } from './expiry-note.tsx'
import { KeyBadge } from './key-badge.tsx'

export interface KeyRowProps {
  readonly apiKey: DashboardKey
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

export function KeyRow({ apiKey, onRotate, onRevoke }: KeyRowProps) {
  const { id, name, prefix, scopes, allowedCidrs, createdAt, createdBy, lastUsedAt, expiresAt, status } = apiKey
  return (
    <tr className="key-row" data-testid="key-row" data-key={id} data-ended={status === 'active' ? undefined : ''}>
      <td className="breakable">
        <strong>{name}</strong>
      </td>
      <td data-label="Key" className="mono nowrap">
        {prefix}_…
      </td>
      <td data-label="Scopes">
        <span className="key-scopes">
          {scopes.map((scope) => (
            <code key={scope}>{scope}</code>
          ))}
          {allowedCidrs.length > 0 ? (
            <span className="muted" title={allowedCidrs.join(', ')}>
              {allowedCidrs.length === 1 ? allowedCidrs[0] : `${allowedCidrs.length} address ranges`}
            </span>
          ) : null}
        </span>
      </td>
      <td data-label="Created">
        <span className="breakable">
          <RelativeTime at={createdAt} /> <span className="muted">by {createdBy ?? 'an operator'}</span>
        </span>
      </td>
      <td data-label="Last used">
        {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span className="muted">never</span>}
      </td>
      <td data-label="Expires">
        <ExpiryNote expiresAt={expiresAt} isActive={status === 'active'} />
      </td>
      <td data-label="Status">
        <KeyBadge status={status} />
      </td>
      <td>
        {status === 'active' ? (
          <span className="key-row-actions">
            <Button onClick={onRotate}>Rotate</Button>
            <Button variant="danger" onClick={onRevoke}>
              Revoke
            </Button>
          </span>
        ) : null}
      </td>
    </tr>
  )
}
