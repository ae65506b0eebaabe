import type { DashboardKey } from '@corrigenda/contracts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Cells, type Column } from '../../components/table.tsx'
import { RelativeTime, useNow } from '../../components/times.tsx'

const SOON_MS = 7 * 86_400_000

interface KeyRowProps {
  readonly apiKey: DashboardKey
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

/** The key list columns. Narrow tables hide the scopes, creation and last use. */
export const KEY_COLUMNS: readonly Column<KeyRowProps>[] = [
  {
    title: 'Name',
    unlabelled: true,
    className: 'key-row-name breakable',
    cell: ({ apiKey }) => <strong>{apiKey.name}</strong>,
  },
  { title: 'Key', className: 'mono nowrap', cell: ({ apiKey }) => `${apiKey.prefix}_…` },
  {
    title: 'Scopes',
    hideBelow: 920,
    cell: ({ apiKey: { scopes, allowedCidrs } }) => (
      <span className="key-scopes">
        {scopes.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
        {allowedCidrs.length > 0 ? (
          <span className="muted" title={allowedCidrs.join(', ')}>
            {allowedCidrs.length === 1 ? allowedCidrs[0] : `${allowedCidrs.length} IP address ranges`}
          </span>
        ) : null}
      </span>
    ),
  },
  {
    title: 'Created',
    hideBelow: 920,
    cell: ({ apiKey: { createdAt, createdBy } }) => (
      <span className="breakable">
        <RelativeTime at={createdAt} /> <span className="muted">by {createdBy ?? 'the CLI'}</span>
      </span>
    ),
  },
  {
    title: 'Last used',
    hideBelow: 920,
    cell: ({ apiKey: { lastUsedAt } }) =>
      lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span className="muted">Never</span>,
  },
  {
    title: 'Expires',
    cell: ({ apiKey: { expiresAt, status } }) => <ExpiryNote expiresAt={expiresAt} isActive={status === 'active'} />,
  },
  { title: 'Status', cell: ({ apiKey }) => <KeyBadge status={apiKey.status} /> },
  {
    title: 'Actions',
    hidden: true,
    unlabelled: true,
    className: 'key-row-end',
    cell: ({ apiKey, onRotate, onRevoke }) =>
      apiKey.status === 'active' && apiKey.canManage ? (
        <span className="key-row-actions">
          <Button onClick={onRotate}>Rotate</Button>
          <Button variant="danger" onClick={onRevoke}>
            Revoke
          </Button>
        </span>
      ) : null,
  },
]

export function KeyRow(props: KeyRowProps) {
  const { id, status } = props.apiKey
  return (
    <tr className="key-row" data-testid="key-row" data-key={id} data-ended={status === 'active' ? undefined : ''}>
      <Cells columns={KEY_COLUMNS} row={props} />
    </tr>
  )
}

function KeyBadge({ status }: Pick<DashboardKey, 'status'>) {
  if (status === 'active') {
    return (
      <Badge icon="check" tone="ok" hint="Requests with this key are accepted.">
        Active
      </Badge>
    )
  }
  return status === 'expired' ? (
    <Badge icon="dash" tone="muted" hint="Expired. Requests with this key return 401.">
      Expired
    </Badge>
  ) : (
    <Badge icon="slash" tone="muted" hint="Revoked. Requests with this key return 401.">
      Revoked
    </Badge>
  )
}

/** A key's expiration time, with a badge if the key is active and expires within seven days. */
function ExpiryNote({ expiresAt, isActive }: { expiresAt: string | null; isActive: boolean }) {
  const now = useNow(60_000)
  if (expiresAt === null) return <span className="muted">Never</span>
  const isSoon = isActive && Date.parse(expiresAt) - now <= SOON_MS
  return (
    <span className="cluster">
      <RelativeTime at={expiresAt} future />
      {isSoon ? (
        <Badge icon="warning" tone="warn" hint="Rotate this key before it expires.">
          Soon
        </Badge>
      ) : null}
    </span>
  )
}
